(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Sorting. Rows without a value come last, whichever way; equal rows keep their first order.
  const key = (row, column) => {
    let at = 0;
    for (const cell of row.cells) {
      if (at === column) {
        const text = cell.dataset.value ?? cell.textContent.trim();
        return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text.toLowerCase();
      }
      at += cell.colSpan;
    }
    return "";
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : a === b ? 0 : 1;

  const showRanks = (table, column, head) => {
    const rankHead = table.querySelector("[data-role=rank]");
    if (!head.dataset.group) return;
    rankHead.querySelector("small span").textContent = head.dataset.group;
    for (const row of all("tbody:not(.published) tr", table)) {
      const figure = row.cells[column];
      row.cells[0].textContent = figure.dataset.ranks;
      row.cells[0].dataset.value = figure.dataset.rank;
    }
  };

  const sort = (table, head) => {
    const column = head.cellIndex;
    const current = head.getAttribute("aria-sort");
    const up = current ? current === "descending" : head.dataset.sort === "up";
    for (const other of all("thead th", table)) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    showRanks(table, column, head);
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row) => [key(row, column), row]);
      rows.sort(([a, one], [b, two]) => {
        if (a === "" || b === "") return (a === "") - (b === "") || one.dataset.place - two.dataset.place;
        return (up ? compare(a, b) : compare(b, a)) || one.dataset.place - two.dataset.place;
      });
      body.append(...rows.map(([, row]) => row));
    }
  };

  for (const table of all(".board > .scroll > table")) {
    all("tbody tr", table).forEach((row, place) => { row.dataset.place = place; });
    for (const head of all("thead th[data-sort]", table)) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head));
    }
  }

  // Filters.
  const form = document.getElementById("filters");
  const field = (id) => document.getElementById(id);
  const rows = all(".board > .scroll tbody tr");
  const filter = () => {
    const kinds = new Set(all("fieldset input:checked", form).map((box) => box.value));
    const licence = field("licence").value;
    const part = field("name").value.trim().toLowerCase();
    const ships = field("ships").checked;
    let shown = 0;
    for (const row of rows) {
      const name = row.querySelector("th").dataset.value.toLowerCase();
      const fits =
        (!kinds.size || kinds.has(row.dataset.kind)) &&
        (!licence || row.dataset.licence === licence) &&
        (!part || name.includes(part)) &&
        (!ships || /^embedded\b/.test(row.dataset.needs));
      row.hidden = !fits;
      shown += fits;
    }
    for (const board of all(".board")) {
      board.hidden = !board.querySelector(":scope > .scroll tbody tr:not([hidden])");
    }
    field("count").textContent = shown + " of " + rows.length + " rows shown. Ranks are among all of them.";
  };
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();

  // A link to a card opens it.
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let outer = target; outer; outer = outer.parentElement) {
      if (outer.tagName === "DETAILS") outer.open = true;
    }
    (target.closest("details.card") ?? target).scrollIntoView();
  };
  addEventListener("hashchange", open);
  for (const link of all("th a[href^='#']")) link.addEventListener("click", () => setTimeout(open));
  open();
})();
