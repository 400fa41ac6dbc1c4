// A search box above the table of models: the rows that have all of the words.
(() => {
  "use strict";
  const table = document.querySelector("article table");
  const rows = [...table.tBodies[0].rows];
  const box = document.createElement("p");
  box.innerHTML = '<label for="find">Find models</label> <input id="find" type="search"> <span role="status"></span>';
  const [, field, status] = box.children;
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    status.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} models`;
  };
  field.addEventListener("input", find);
  (table.closest(".table-wrapper") ?? table).before(box);
  find();
})();
