/** Shows a table that is wider than a phone as a list: each cell behind the heading of its column. */

const NARROW = matchMedia("(max-width: 30rem)");

/** Marks the tables that do not fit, each time that the page becomes narrow. */
export function stackWideTables(): void {
  stackIfNarrow();
  NARROW.addEventListener("change", stackIfNarrow);
}

function stackIfNarrow(): void {
  if (!NARROW.matches) {
    return;
  }
  const wrappers = [...document.querySelectorAll("article .table-wrapper")];
  for (const wrapper of wrappers.filter((each) => each.scrollWidth > each.clientWidth)) {
    wrapper.classList.add("stacked");
    wrapper.querySelectorAll("table").forEach(labelCells);
  }
}

/** Gives each cell its heading, and the roles that a table loses once its rows are blocks. */
function labelCells(table: HTMLTableElement): void {
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.innerText.trim());
  table.role = "table";
  for (const row of table.rows) {
    row.role = "row";
    for (const cell of row.cells) {
      const isNamed = cell.tagName === "TD" && cell.innerText.trim() !== "";
      cell.role = cell.tagName === "TH" ? "columnheader" : "cell";
      cell.setAttribute("data-heading", (isNamed && headings[cell.cellIndex]) || "");
    }
  }
}
