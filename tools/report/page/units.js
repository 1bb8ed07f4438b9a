/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How much of its peak each unit of the device reaches: speed of light. */

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
