/* Lets the search run in pages opened from a folder (file://), where browsers start no worker: the worker's script runs in a
   hidden frame of the same page instead. Pages that come from a server use a worker of the browser. */
class FrameWorker extends EventTarget {
  constructor(url) {
    super()
    this.frame = document.createElement("iframe")
    this.frame.hidden = true
    document.body.appendChild(this.frame)
    const inside = this.frame.contentWindow
    inside.postMessage = (data) => this.deliver(data)
    inside.importScripts = (...urls) => urls.reduce((done, each) => done.then(() => this.load(each)), Promise.resolve())
    this.isReady = this.load(url)
  }

  load(url) {
    const script = this.frame.contentDocument.createElement("script")
    script.src = new URL(url, document.baseURI).href
    return new Promise((resolve, reject) => {
      script.onload = resolve
      script.onerror = reject
      this.frame.contentDocument.body.appendChild(script)
    })
  }

  deliver(data) {
    const message = new MessageEvent("message", { data })
    this.dispatchEvent(message)
    if (this.onmessage) this.onmessage(message)
  }

  postMessage(data) {
    this.isReady.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })))
  }

  terminate() {
    this.frame.remove()
  }
}

if (location.protocol === "file:") {
  window.Worker = FrameWorker
  window.IFrameWorker = FrameWorker // the search worker looks for this name
}
