/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements. What comes from the data only ever becomes text: nothing here takes HTML. */

function add(parent, tag, classes, text) {
  const element = parent.append(tag);
  if (classes) element.attr("class", classes);
  if (text !== undefined) element.text(text);
  return element;
}

/* columns: [{name, number}]; rows: arrays of texts, or of functions that fill a cell. */
function addTable(parent, caption, columns, rows) {
  const scroll = add(parent, "div", "scroll").attr("tabindex", 0).attr("role", "region").attr("aria-label", caption);
  const table = add(scroll, "table");
  add(table, "caption", null, caption);
  const head = add(add(table, "thead"), "tr");
  for (const column of columns) add(head, "th", column.number ? "number" : null, column.name).attr("scope", "col");
  const body = add(table, "tbody");
  for (const row of rows) {
    const line = add(body, "tr");
    row.forEach((value, i) => {
      const cell = add(line, i === 0 ? "th" : "td", columns[i].number ? "number" : null);
      if (i === 0) cell.attr("scope", "row").style("font-weight", "400");
      if (typeof value === "function") value(cell); else cell.text(value);
    });
  }
  return table;
}

/* A chart with its numbers: draw(svg) fills an image of that size. */
function addChart(parent, chart) {
  const figure = add(parent, "figure");
  add(figure, "figcaption", null, chart.title);
  const svg = add(figure, "svg").attr("viewBox", `0 0 ${chart.width} ${chart.height}`).attr("role", "img")
    .attr("aria-label", `${chart.title}. ${chart.summary}`);
  chart.draw(svg);
  if (chart.note) add(figure, "small", null, chart.note);
  const numbers = add(figure, "details", "numbers");
  add(numbers, "summary", null, "Numbers");
  addTable(numbers, chart.title, chart.columns, chart.rows);
}

/* A link to somewhere on this page. */
function addLink(parent, target, text, classes) {
  return add(parent, "a", classes, text).attr("href", `#${target}`);
}
