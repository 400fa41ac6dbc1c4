(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const field = (id) => document.getElementById(id);
  const table = document.querySelector("table.pairs");
  const rows = all("tbody tr", table);
  const heads = all("thead th", table);
  rows.forEach((row, place) => { row.dataset.place = place; });

  // Sorting. Rows without a value come last, whichever way; equal rows keep their first order.
  const value = (row, column, size) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    if (text === "") return "";
    const number = Number(text);
    return Number.isFinite(number) ? (size ? Math.abs(number) : number) : text.toLowerCase();
  };
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const sort = (key, up) => {
    const size = key === "distance";
    const column = heads.findIndex((head) => head.dataset.key === (size ? "gap" : key));
    for (const head of heads) head.removeAttribute("aria-sort");
    const keyed = rows.map((row) => [key === "" ? "" : value(row, column, size), row]);
    keyed.sort(([a, one], [b, two]) => {
      const places = one.dataset.place - two.dataset.place;
      if (a === "" || b === "") return (a === "") - (b === "") || places;
      return (up ? compare(a, b) : compare(b, a)) || places;
    });
    if (key !== "" && !size) heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  };
  const choose = (key, up) => {
    field("sort").value = key + (up ? " up" : " down"); // blank where the box does not have it
    sort(key, up);
  };
  heads.forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () =>
      choose(head.dataset.key, head.getAttribute("aria-sort") !== "ascending"));
  });
  field("sort").addEventListener("input", () => {
    const [key, way] = field("sort").value.split(" ");
    sort(key ?? "", way === "up");
  });

  // Filters.
  const form = field("filters");
  const filter = () => {
    const words = field("words").value.trim().toLowerCase();
    const kind = field("kind").value;
    const [from, to] = ["from", "to"].map((id) => field(id).value);
    let shown = 0;
    for (const row of rows) {
      const score = row.dataset.score;
      const fits =
        (!words || row.textContent.toLowerCase().includes(words)) &&
        (!kind || row.dataset.kind.split(" ").includes(kind)) &&
        (from === "" || (score !== "" && Number(score) >= Number(from))) &&
        (to === "" || (score !== "" && Number(score) <= Number(to)));
      row.hidden = !fits;
      shown += fits;
    }
    field("count").textContent = shown + " of " + rows.length + " pairs shown";
  };
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(() => { filter(); sort("", true); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();

  // A link to an explanation opens it; a print has them all.
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  for (const link of all("td a")) link.addEventListener("click", () => setTimeout(open));
  addEventListener("beforeprint", () => { for (const one of all("details")) one.open = true; });
  open();
})();
