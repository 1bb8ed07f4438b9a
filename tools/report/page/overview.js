/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The matrix of kernels and devices. */

function cellLines(row) {
  const lines = [[rangeText(row), `confidence ${percentText(row.confidence)}`].filter(Boolean).join(", ")];
  const headroom = headroomOf(row), best = bestSize(row);
  if (row.total_ns > 0) lines.unshift(`${countText(row.launches, "launch", "launches")}: ${timeText(row.total_ns)}`);
  if (row.ratio > 0) lines.push(changeText(row));
  if (headroom.ideal) lines.push(`headroom ${gainText(headroom.factor)}`);
  else if (headroom.factor >= 1.05) lines.push(`${gainText(headroom.factor)} if repaired`);
  if (best && !isOwnSize(row, best) && row.time_ns > 1.03 * best.time_ns)
    lines.push(`best ${sizeText(best.local)}: ${timeText(best.time_ns)}`);
  if (row.verdict && row.verdict !== "ok") lines.push(row.verdict);
  return lines;
}

function addCell(cell, kernel, row) {
  if (!row) {
    add(cell, "span", "cell", "\u2013").attr("title", "not predicted");
    return;
  }
  const link = addLink(cell, `${kernel.id}-${deviceKey(row.device)}`, undefined, `cell ${headroomClass(headroomOf(row).factor)}`);
  add(link, "strong", null, timeText(row.time_ns));
  const changed = Math.abs((row.ratio || 1) - 1) >= 0.01;
  for (const line of cellLines(row)) add(link, "small", changed && line.endsWith(" before") ? "changed" : null, line);
}

function addMatrix(parent, kernels, devices) {
  const table = add(add(parent, "div", "scroll"), "table", "matrix");
  add(table, "caption", null, "Time of each kernel's launch on each device; each cell leads to its section.");
  const head = add(add(table, "thead"), "tr");
  add(head, "th", null, "Kernel").attr("scope", "col");
  for (const device of devices) {
    const cell = add(head, "th", null, device.name).attr("scope", "col");
    if (device.title !== device.name) { cell.append("br"); add(cell, "small", null, device.title); }
  }
  const body = add(table, "tbody");
  for (const kernel of kernels) {
    const line = add(body, "tr"), name = add(line, "th").attr("scope", "row");
    addLink(name, kernel.id, kernel.name);
    name.append("br");
    add(name, "small", null, kernel.file + (kernel.place.line ? `:${kernel.place.line}` : ""));
    for (const device of devices) addCell(add(line, "td"), kernel, kernel.rows.get(device.name));
  }
}

function addLegend(parent, ideal) {
  add(parent, "p", "soft", ideal ? "Colour: headroom, the time over what the device could do at best." :
    "Colour: how much faster the kernel would be with all its findings repaired.");
  const list = add(parent, "ul", "legend");
  const names = ["below 1.2\u00d7", "from 1.2\u00d7", "from 1.5\u00d7", "from 2\u00d7", "from 4\u00d7"];
  names.forEach((name, i) => { const item = add(list, "li"); add(item, "i", `h${i}`); add(item, "span", null, name); });
}

const worst = (kernel, of) => Math.max(...[...kernel.rows.values()].map(of));
const ORDERS = {
  "as in the sources": null,
  "longest time first": row => row.total_ns || row.time_ns,
  "most headroom first": row => headroomOf(row).factor,
  "least confidence first": row => -row.confidence,
  "most changed first": row => Math.abs(Math.log(row.ratio || 1)),
};

function sortKernels(kernels, order) {
  const of = ORDERS[order];
  return of ? kernels.slice().sort((a, b) => worst(b, of) - worst(a, of)) : kernels;
}

/* What a program's recorded launches take in all. */
function showProgram(section, programs) {
  if (!programs) return;
  addTable(section, "The program's kernel time, all of its recorded launches", [{name: "Device"}, {name: "Time in kernels", number: true},
    {name: "Launches", number: true}, {name: "Kernels", number: true}],
    programs.map(p => [p.device, timeText(p.total_ns), String(p.launches), String(p.kernels)]));
}

function showOverview(section, kernels, devices) {
  const controls = add(section, "div", "controls"), matrix = add(section, "div");
  const filter = add(add(controls, "label", null, "Kernel or file "), "input").attr("type", "search");
  const order = add(add(controls, "label", null, "Order "), "select");
  const changed = kernels.some(kernel => [...kernel.rows.values()].some(row => row.ratio > 0));
  for (const name of Object.keys(ORDERS).filter(name => changed || !name.startsWith("most changed"))) add(order, "option", null, name);
  const status = add(controls, "span", "soft").attr("role", "status");
  const draw = () => {
    const word = filter.property("value").toLowerCase();
    const shown = kernels.filter(kernel => `${kernel.name} ${kernel.file}`.toLowerCase().includes(word));
    status.text(word ? `${shown.length} of ${kernels.length}` : "");
    matrix.text("");
    addMatrix(matrix, sortKernels(shown, order.property("value")), devices);
  };
  filter.on("input", draw);
  order.on("change", draw);
  draw();
  addLegend(section, kernels.some(kernel => [...kernel.rows.values()].some(row => row.headroom > 0)));
}
