"use strict";
// Shows what stands behind a value. All text is set as text, never as HTML.
const facts = JSON.parse(document.getElementById("whence-report").textContent);
const panel = document.getElementById("facts");
let opened = null;

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children.filter(Boolean));
  return made;
}

function quiet(text) {
  const made = element("p", text);
  made.className = "quiet";
  return made;
}

function close() {
  if (opened) {
    opened.removeAttribute("aria-expanded");
    opened.focus();
  }
  opened = null;
  panel.hidden = true;
  document.body.classList.remove("open");
}

function list(title, items) {
  return items.length ? [element("h3", title), element("ul", "", ...items)] : [];
}

function step(each) {
  const more = each.count - each.cells.length;
  const head = `${each.role} ${each.of}` + (each.count > 1 ? `, ${each.count.toLocaleString("en")} values` : "");
  const cells = each.cells.map((cell) => {
    const place = cell.line === undefined ? "" : ` (line ${cell.line})`;
    const item = element("li", `${cell.value === "" ? "missing" : cell.value}${place}${cell.doubt ? " ?" : ""}`);
    if (cell.doubt) item.classList.add("doubt");
    if (cell.from) item.append(element("ul", "", ...cell.from.map(step)));
    return item;
  });
  if (more > 0) cells.push(element("li", `and ${more.toLocaleString("en")} more`));
  return element("li", head, element("ul", "", ...cells));
}

function rows(behind) {
  const source = facts.sources[behind.of];
  const body = behind.first.map((row) => {
    const [line, values] = source.rows[row];
    return element("tr", "", element("th", line === null ? `row ${row}` : `line ${line}`), ...values.map((each) => element("td", each)));
  });
  const head = element("tr", "", element("th", ""), ...source.columns.map((each) => element("th", each)));
  const shown = behind.first.length < behind.count ? `, the first ${behind.first.length} of them` : "";
  const table = element("table", "", element("thead", "", head), element("tbody", "", ...body));
  const wide = element("div", "", table);
  wide.className = "wide";
  return [element("h3", `${behind.count.toLocaleString("en")} rows of ${behind.of}${shown}`), wide];
}

function open(cell) {
  const table = facts.tables[cell.closest("table").dataset.table];
  const [row, column] = [cell.parentElement.rowIndex - 1, cell.cellIndex];
  const known = table.cells[row][column];
  const line = table.lines[row] === null ? "" : `, line ${table.lines[row]} of its file`;
  if (opened) opened.removeAttribute("aria-expanded");
  opened = cell;
  cell.setAttribute("aria-expanded", "true");
  const button = element("button", "Close");
  button.addEventListener("click", close);
  panel.replaceChildren(
    button,
    element("h2", known.text === "" ? "missing" : known.text),
    element("p", `${table.columns[column]} of ${table.dataset}, version ${table.version}${line}`),
    ...list("In doubt", (known.caveats || []).map((each) => element("li", each))),
    ...(known.bounds ? [element("h3", "How far it may be off"), element("p", `${known.bounds}, given what caveats state`)] : []),
    ...(known.written ? [element("h3", "Not data"), element("p", known.written)] : []),
    ...list("How it came about", (known.way || []).map(step)),
    ...(known.rows || []).flatMap(rows),
    ...(known.hash ? [quiet(`Hash ${known.hash}`)] : []),
  );
  panel.hidden = false;
  panel.scrollTop = 0;
  document.body.classList.add("open");
  panel.focus();
}

document.addEventListener("click", (event) => {
  const cell = event.target.closest("td[role]");
  if (cell) open(cell);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  const cell = event.target.closest("td[role]");
  if (cell && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    open(cell);
  }
});
// Paper shows what is folded up. What was open before stays open.
const unfolded = new Set();
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details:not([open])")) {
    unfolded.add(each);
    each.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const each of unfolded) each.open = false;
  unfolded.clear();
});
