const table = document.querySelector("table.pairs");
const rows = all("tbody tr", table);
const heads = all("thead th", table);

const sort = (key, up) => {
  const size = key === "distance";
  const column = heads.findIndex((head) => head.dataset.key === (size ? "gap" : key));
  const value = (row) => {
    const own = column < 0 ? "" : valueOf(row.cells[column]);
    return size && own !== "" ? Math.abs(own) : own;
  };
  sortRows(table.tBodies[0], value, up);
  mark(heads, size ? null : heads[column], up);
};
addButtons(table, heads, (head) => {
  const key = head.dataset.key;
  const up = head.getAttribute("aria-sort") !== "ascending";
  field("sort").value = key + (up ? " up" : " down"); // blank where the box does not have it
  sort(key, up);
});
field("sort").addEventListener("input", () => {
  const [key, way] = field("sort").value.split(" ");
  sort(key ?? "", way === "up");
});
field("filters").addEventListener("reset", () => setTimeout(() => sort("", true)));

addFilters(rows, () => {
  const words = field("words").value.trim().toLowerCase();
  const [kind, from, to] = ["kind", "from", "to"].map((id) => field(id).value);
  return (row) => {
    const score = row.dataset.score;
    return (!words || row.textContent.toLowerCase().includes(words)) &&
      (!kind || row.dataset.kind.split(" ").includes(kind)) &&
      (from === "" || (score !== "" && Number(score) >= Number(from))) &&
      (to === "" || (score !== "" && Number(score) <= Number(to)));
  };
}, (shown) => `${shown} of ${rows.length} pairs shown`);

addEventListener("beforeprint", () => { for (const one of all("details")) one.open = true; });
