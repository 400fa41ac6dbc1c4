const showRanks = (table, column, head) => {
  if (!head.dataset.group) return;
  table.querySelector("[data-role=rank] small span").textContent = head.dataset.group;
  for (const row of all("tbody:not(.published) tr", table)) {
    const figure = row.cells[column];
    row.cells[0].textContent = figure.dataset.ranks;
    row.cells[0].dataset.value = figure.dataset.rank;
  }
};
for (const table of all(".board > .hs-scroll > table")) {
  const heads = all("thead th", table);
  mark(heads, heads.find((head) => head.dataset.group), false);
  addButtons(table, heads, (head) => {
    const current = head.getAttribute("aria-sort");
    const up = current ? current === "descending" : head.dataset.sort === "up";
    mark(heads, head, up);
    showRanks(table, head.cellIndex, head);
    for (const body of table.tBodies) sortRows(body, (row) => valueOf(row.cells[head.cellIndex]), up);
  });
}

const rows = all(".board > .hs-scroll tbody tr");
addFilters(rows, (form) => {
  const kinds = new Set(all("fieldset input:checked", form).map((box) => box.value));
  const licence = field("licence").value;
  const part = field("name").value.trim().toLowerCase();
  const ships = field("ships").checked;
  return (row) =>
    (!kinds.size || kinds.has(row.dataset.kind)) &&
    (!licence || row.dataset.licence === licence) &&
    (!part || row.querySelector("th").dataset.value.toLowerCase().includes(part)) &&
    (!ships || /^embedded\b/.test(row.dataset.needs));
}, (shown) => {
  for (const board of all(".board")) {
    board.hidden = !board.querySelector(":scope > .hs-scroll tbody tr:not([hidden])");
  }
  return `${shown} of ${rows.length} rows shown. Ranks are among all of them.`;
});
