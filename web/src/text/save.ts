/** Gives a text to the browser to be kept as a file. */
export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, "_");
  link.click();
  // Chromium reads the address after the click; it may be given back a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
