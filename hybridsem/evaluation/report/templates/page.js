"use strict";
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const field = (id) => document.getElementById(id);

// Sorting. Rows without a value come last, whichever way; equal rows keep their first order.
const valueOf = (cell) => {
  const text = cell.dataset.value ?? cell.textContent.trim();
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text.toLowerCase();
};
const compare = (a, b) => {
  if (typeof a !== typeof b) return compare(String(a), String(b));
  return a < b ? -1 : a > b ? 1 : 0;
};
const sortRows = (body, key, up) => {
  const keyed = [...body.rows].map((row) => [key(row), row]);
  keyed.sort(([a, one], [b, two]) => {
    const places = one.dataset.place - two.dataset.place;
    if (a === "" || b === "") return (a === "") - (b === "") || places;
    return (up ? compare(a, b) : compare(b, a)) || places;
  });
  body.append(...keyed.map(([, row]) => row));
};
const mark = (heads, sorted, up) => {
  for (const head of heads) head.removeAttribute("aria-sort");
  sorted?.setAttribute("aria-sort", up ? "ascending" : "descending");
};
const addButtons = (table, heads, click) => {
  all("tbody tr", table).forEach((row, place) => { row.dataset.place = place; });
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => click(head));
  }
};

// Filters: ``test`` reads the form and returns what rows must fulfil, ``count`` says how many do.
const addFilters = (rows, test, count) => {
  const form = field("filters");
  const filter = () => {
    const fits = test(form);
    for (const row of rows) row.hidden = !fits(row);
    field("count").textContent = count(rows.filter((row) => !row.hidden).length);
  };
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
};

// A link to a part opens it.
const open = () => {
  const target = field(location.hash.slice(1));
  for (let outer = target; outer; outer = outer.parentElement) {
    if (outer.tagName === "DETAILS") outer.open = true;
  }
  (target?.closest("details") ?? target)?.scrollIntoView();
};
addEventListener("hashchange", open);
for (const link of all("tbody a[href^='#']")) link.addEventListener("click", () => setTimeout(open));
open();
