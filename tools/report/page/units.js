/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of its peak each unit of the device reaches: speed of light; and how long each is busy, one behind the other. */

const UNIT_NAMES = {issue: "schedulers", fp32: "FP32", fp64: "FP64", sfu: "special functions", int: "integers", lsu: "load/store",
  l1: "L1", l2: "L2", dram: "DRAM", barrier: "barriers", latency: "latency", launch: "launch"};

function unitName(unit) { return UNIT_NAMES[unit] || unit; }

function drawBars(svg, bars, width, left) {
  const x = d3.scaleLinear().domain([0, 1]).range([left, width - (bars.some(bar => bar.busy) ? 84 : 42)]);
  bars.forEach((bar, i) => {
    const y = 4 + 20 * i;
    svg.append("text").attr("x", left - 8).attr("y", y + 7).attr("dy", ".35em").attr("text-anchor", "end").text(bar.name);
    svg.append("rect").attr("class", "track").attr("x", left).attr("y", y).attr("width", x(1) - left).attr("height", 14);
    svg.append("rect").attr("class", `bar ${bar.busy ? "busy" : ""}`).attr("x", left).attr("y", y).attr("width", Math.max(1, x(bar.share) - left)).attr("height", 14);
    if (bar.next > bar.share) svg.append("line").attr("class", "next").attr("x1", x(bar.next)).attr("x2", x(bar.next)).attr("y1", y - 3).attr("y2", y + 17);
    svg.append("text").attr("x", x(1) + 6).attr("y", y + 7).attr("dy", ".35em").text(`${percentText(bar.share)}${bar.busy ? ", limits" : ""}`);
  });
}

function showUnits(parent, row) {
  const units = Object.entries(row.units || {}).filter(([, share]) => share >= 0.005).sort((a, b) => b[1] - a[1]);
  if (!units.length) return;
  const bars = units.map(([unit, share]) => ({name: unitName(unit), share, busy: unit === row.limiter})), width = 400;
  addChart(parent, {
    title: "Each unit's share of its peak", width, height: 20 * bars.length + 8,
    summary: bars.map(bar => `${bar.name} ${percentText(bar.share)}`).join(", "),
    note: bars.some(bar => bar.busy) ? "" : `The kernel is limited by ${unitName(row.limiter)}.`,
    draw: svg => drawBars(svg, bars, width, 112),
    columns: [{name: "Unit"}, {name: "Share of its peak", number: true}],
    rows: bars.map(bar => [bar.name, percentText(bar.share)]),
  });
}

/* ---- The same, stacked: busy time over the launch's. What overlaps perfectly ends at the busiest unit's share. ---- */

const STACK_LEAST = 0.01;
const STACK_ORDER = ["dram", "l2", "l1", "lsu", "issue", "fp32", "fp64", "sfu", "int", "barrier"];

function stackOf(row) {
  let from = 0;
  const busy = Object.entries(row.units || {}).filter(([, share]) => share >= STACK_LEAST);
  const place = unit => { const at = STACK_ORDER.indexOf(unit); return at < 0 ? STACK_ORDER.length : at; };
  return busy.sort((a, b) => place(a[0]) - place(b[0])).map(([unit, share]) => ({unit, share, from: (from += share) - share}));
}

function unitClass(unit) { return `unit-${STACK_ORDER.includes(unit) ? unit : "other"}`; }

function drawLegend(svg, units, top, width) {
  units.forEach((unit, i) => {
    const columns = Math.max(1, Math.floor(width / 112)), x = 112 * (i % columns), y = top + 18 * Math.floor(i / columns);
    svg.append("rect").attr("class", `unit ${unitClass(unit)}`).attr("x", x).attr("y", y).attr("width", 12).attr("height", 12);
    svg.append("text").attr("x", x + 17).attr("y", y + 6).attr("dy", ".35em").text(unitName(unit));
  });
}

function drawStacks(svg, stacks, units, width, height) {
  const left = 104, most = Math.max(1.05, ...stacks.map(({parts}) => d3.sum(parts, part => part.share)));
  const x = d3.scaleLinear().domain([0, most]).range([left, width - 8]), bottom = 8 + 24 * stacks.length;
  stacks.forEach(({row, parts}, i) => {
    svg.append("text").attr("x", left - 8).attr("y", 16 + 24 * i).attr("dy", ".35em").attr("text-anchor", "end").text(row.device.length > 15 ? `${row.device.slice(0, 14)}\u2026` : row.device);
    for (const part of parts)
      svg.append("rect").attr("class", `unit ${unitClass(part.unit)}`).attr("x", x(part.from)).attr("y", 8 + 24 * i).attr("width", Math.max(0.5, x(part.share) - x(0))).attr("height", 16)
        .append("title").text(`${unitName(part.unit)}: ${timeText(part.share * row.time_ns)}`);
  });
  svg.append("line").attr("class", "launched").attr("x1", x(1)).attr("x2", x(1)).attr("y1", 2).attr("y2", bottom + 4);
  svg.append("text").attr("class", "soft").attr("x", x(1)).attr("y", bottom + 12).attr("text-anchor", "middle").text("the launch's time");
  drawLegend(svg, units, height - 18 * Math.ceil(units.length / Math.floor(width / 112)), width);
}

function showStacks(parent, rows) {
  const stacks = rows.map(row => ({row, parts: stackOf(row)})).filter(({parts}) => parts.length), width = 400;
  if (!stacks.length) return;
  const units = [...STACK_ORDER, ...new Set(stacks.flatMap(({parts}) => parts.map(part => part.unit)).filter(unit => !STACK_ORDER.includes(unit)))]
    .filter(unit => stacks.some(({parts}) => parts.some(part => part.unit === unit)));
  const height = 8 + 24 * stacks.length + 22 + 18 * Math.ceil(units.length / Math.floor(width / 112));
  addChart(parent, {
    title: "Busy time of each unit, stacked", width, height,
    summary: stacks.map(({row, parts}) => `${row.device}: ${parts.map(part => `${unitName(part.unit)} ${percentText(part.share)}`).join(", ")} of the launch's time`).join("; "),
    note: "Units work at the same time: what stands beyond the launch's time overlaps.",
    draw: svg => drawStacks(svg, stacks, units, width, height),
    columns: [{name: "Device"}, {name: "Unit"}, {name: "Busy", number: true}, {name: "Of the launch's time", number: true}],
    rows: stacks.flatMap(({row, parts}) => parts.map(part => [row.device, unitName(part.unit), timeText(part.share * row.time_ns), percentText(part.share)])),
  });
}
