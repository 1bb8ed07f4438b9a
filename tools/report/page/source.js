/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel's source: a bar for each line and device, and the findings where they are. */

/* By line, the share of the time: what is spent there where the prediction says it, else what the findings there cost. */
function heatOf(row) {
  const heat = new Map();
  if (row.lines) for (const at of row.lines) heat.set(`${at.file}:${at.line}`, at.share);
  else
    for (const b of row.bottlenecks || [])
      if (b.line) heat.set(`${b.file}:${b.line}`, Math.max(b.share, heat.get(`${b.file}:${b.line}`) || 0));
  return heat;
}

function linesOf(source, from, to) {
  const lines = [];
  for (const part of source || [])
    part.lines.forEach((text, i) => { if (part.first + i >= from && part.first + i <= to) lines.push({line: part.first + i, text}); });
  return lines;
}

/* The kernel's text with what stands right above it; what of that is another kernel's is left out. */
function kernelLines(kernel, kernels, sources) {
  const first = kernel.place.line || 0;
  const part = (sources[kernel.place.file] || []).find(p => p.first <= first && first < p.first + p.lines.length);
  if (!part) return [];
  const end = kernel.place.end || Infinity;
  const before = Math.max(...kernels.filter(k => k.place.file === kernel.place.file && k.place.line < first).map(k => k.place.end || 0), 0);
  return linesOf([part], Math.max(first - 2, before + 1), end);
}

/* Lines elsewhere that some row names, with their neighbours. */
function otherPlaces(kernel, lines, sources) {
  const own = new Set(lines.map(l => l.line)), places = new Map();
  for (const row of kernel.rows.values())
    for (const at of [...(row.bottlenecks || []).filter(b => b.warns || b.share >= 0.05), ...(row.lines || []).filter(l => l.share >= 0.02)])
      if (at.line && !(at.file === kernel.place.file && own.has(at.line))) {
        if (!places.has(at.file)) places.set(at.file, new Set());
        for (let line = at.line - 3; line <= at.line + 3; line++) places.get(at.file).add(line);
      }
  return [...places].map(([file, wanted]) => ({file, lines: linesOf(sources[file], 1, Infinity).filter(l => wanted.has(l.line) && !(file === kernel.place.file && own.has(l.line)))}));
}

const LEAST_SHARE = 0.005, LEAST_REMARK = 0.03;

/* The same finding on several devices is one; what nobody warns about is told where it costs something. */
function findingsAt(kernel, file, line) {
  const found = new Map();
  for (const row of kernel.rows.values())
    for (const b of row.bottlenecks || []) {
      if (b.file !== file || b.line !== line || b.share < (b.warns ? LEAST_SHARE : LEAST_REMARK)) continue;
      const key = `${b.cause} ${b.measure}`;
      if (!found.has(key)) found.set(key, {b, on: []});
      found.get(key).on.push({device: row.device, b});
    }
  return [...found.values()];
}

function addFinding(body, columns, {b, on}) {
  const cell = add(add(body, "tr", "finding"), "td").attr("colspan", columns);
  const first = add(cell, "p");
  add(first, "span", "tag", b.cause);
  first.append("span").text(` ${b.measure}: `);
  first.append("span").text(on.map(({device, b}) => `${percentText(b.share)} on ${device}, ${gainText(b.speedup)} faster without`).join("; "));
  if (b.advice) add(cell, "p", null, b.advice);
}

function addHeat(line, share) {
  const span = add(add(line, "td", "heat"), "span");
  if (!(share >= 0.005)) return;
  span.append("i").style("width", `${Math.min(100, 100 * share)}%`);
  add(span, "span", null, percentText(share)).style("display", "inline");
}

function addLines(body, kernel, file, lines, heats, columns) {
  let last = lines.length ? lines[0].line - 1 : 0;
  for (const {line, text} of lines) {
    if (line !== last + 1) add(add(body, "tr", "gap"), "td", null, "\u22ee").attr("colspan", columns);
    const row = add(body, "tr").attr("id", lineId(kernel, file, line));
    add(row, "th", "at", line).attr("scope", "row");
    for (const heat of heats) addHeat(row, heat.get(`${file}:${line}`));
    add(row, "td", "text code", text);
    for (const finding of findingsAt(kernel, file, line)) addFinding(body, columns, finding);
    last = line;
  }
}

function showSource(parent, kernel, kernels, sources) {
  const rows = [...kernel.rows.values()], lines = kernelLines(kernel, kernels, sources), others = otherPlaces(kernel, lines, sources);
  if (!lines.length && !others.some(o => o.lines.length)) {
    add(parent, "p", "soft", "The source is not shown: it could not be read, or the page would be too large.");
    return;
  }
  const spent = rows.some(row => row.lines), columns = rows.length + 2;
  const what = spent ? "share of the limiting unit's work that each line makes" : "share of the time that the findings at each line cost";
  const scroll = add(parent, "div", "scroll").attr("tabindex", 0).attr("role", "region").attr("aria-label", `Source of ${kernel.name}`);
  const table = add(scroll, "table", "source");
  add(table, "caption", null, `${kernel.place.file || kernel.file}; bars: ${what}`);
  const head = add(add(table, "thead"), "tr");
  add(head, "th", "at", "line").attr("scope", "col");
  for (const row of rows) add(head, "th", "heat", row.device).attr("scope", "col");
  add(head, "th", null, "source").attr("scope", "col");
  const body = add(table, "tbody"), heats = rows.map(heatOf);
  addLines(body, kernel, kernel.place.file, lines, heats, columns);
  for (const other of others.filter(o => o.lines.length)) {
    add(add(body, "tr", "gap"), "td", null, other.file).attr("colspan", columns);
    addLines(body, kernel, other.file, other.lines, heats, columns);
  }
}
