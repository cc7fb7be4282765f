// Everything a hand could act on now: visible, enabled, not covered, in the window; in an open dialog only what is in it.
() => {
  const KINDS = [
    ["link", "a[href]"],
    ["field", "input, textarea, select, [contenteditable=true]"],
    ["item", "[role=menuitem], [role=option], [role=tab], [role=treeitem]"],
    ["cell", "[role=gridcell], [role=columnheader], td, th"],
    ["mark", "svg .mark-rect path, svg .mark-symbol path, canvas, svg[role=graphics-document]"],
    ["button", "button, [role=button], summary"],
  ];
  const dialogs = [...document.querySelectorAll("dialog[open], [role=dialog][aria-modal=true]")];
  const root = dialogs.at(-1) ?? document;
  const found = [];
  for (const [kind, selector] of KINDS) {
    for (const element of root.querySelectorAll(selector)) {
      const box = element.getBoundingClientRect();
      if (box.width < 3 || box.height < 3) continue;
      const x = Math.round(box.x + box.width / 2);
      const y = Math.round(box.y + box.height / 2);
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      if (element.disabled || element.getAttribute("aria-disabled") === "true") continue;
      if (element.type === "file" || element.target === "_blank" || element.hasAttribute("download")) continue;
      const top = document.elementFromPoint(x, y);
      if (top === null || !(element === top || element.contains(top))) continue;
      const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
      found.push({ kind, name: name.trim().replace(/\s+/g, " ").slice(0, 80), x, y });
    }
  }
  return found;
};
