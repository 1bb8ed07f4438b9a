/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time over resident warps, as the kernel is and without its costliest causes: how much latency warps hide, and what hinders them. */

const RESIDENT_DASHES = ["none", "6 4", "2 3"];

function residentCurves(row) {
  const points = row.resident, causes = Object.keys(points[0].without || {});
  const curve = (name, time) => ({name, points: points.map(p => ({warps: p.warps, ns: time(p)})).filter(p => p.ns > 0)});
  return [curve("as it is", p => p.time_ns), ...causes.map(cause => curve(`without ${cause}`, p => p.without[cause]))].filter(c => c.points.length > 1);
}

function drawResidents(svg, curves, width, height) {
  const all = curves.flatMap(curve => curve.points), bottom = height - 52 - 16 * curves.length;
  const x = d3.scaleLog().base(2).domain(d3.extent(all, p => p.warps)).range([64, width - 14]);
  const y = d3.scaleLog().domain([d3.min(all, p => p.ns) / 1.15, d3.max(all, p => p.ns) * 1.15]).range([bottom, 8]);
  svg.append("g").attr("transform", `translate(0,${bottom})`).call(d3.axisBottom(x).tickValues(curves[0].points.map(p => p.warps)).tickFormat(d3.format("~g")).tickSizeOuter(0));
  svg.append("g").attr("transform", "translate(64,0)").call(d3.axisLeft(y).tickValues(timeTicks(y)).tickFormat(timeText).tickSizeOuter(0));
  svg.append("text").attr("class", "soft").attr("x", width - 14).attr("y", bottom + 34).attr("text-anchor", "end").text("resident warps of an SM");
  curves.forEach((curve, i) => {
    const line = svg.append("path").attr("class", `curve curve-${i}`).attr("d", d3.line().x(p => x(p.warps)).y(p => y(p.ns))(curve.points)).attr("stroke-dasharray", RESIDENT_DASHES[i]);
    line.append("title").text(curve.name);
    const legend = bottom + 52 + 16 * i;
    svg.append("line").attr("class", `curve curve-${i}`).attr("x1", 64).attr("x2", 94).attr("y1", legend).attr("y2", legend).attr("stroke-dasharray", RESIDENT_DASHES[i]);
    svg.append("text").attr("x", 102).attr("y", legend).attr("dy", ".35em").text(curve.name);
  });
}

function showResidents(parent, row) {
  if (!row.resident || row.resident.length < 2) return;
  const curves = residentCurves(row), width = 400, height = 220 + 16 * curves.length;
  const first = row.resident[0], last = row.resident[row.resident.length - 1], gain = curve => curve.points[0].ns / curve.points[curve.points.length - 1].ns;
  addChart(parent, {
    title: "Time over resident warps", width, height,
    summary: `From ${first.warps} to ${last.warps} warps on an SM: ${curves.map(curve => `${curve.name} ${gainText(gain(curve))} faster`).join(", ")}`,
    note: "Fewer groups on an SM at a time, as where each asked for more local memory.",
    draw: svg => drawResidents(svg, curves, width, height),
    columns: [{name: "Resident warps"}, ...curves.flatMap(curve => [{name: `Time ${curve.name}`, number: true}, {name: "Speed-up", number: true}])],
    rows: row.resident.map((point, i) => [`${+point.warps.toFixed(2)}`, ...curves.flatMap(curve =>
      curve.points[i] ? [timeText(curve.points[i].ns), timesText(curve.points[0].ns / curve.points[i].ns)] : ["\u2013", "\u2013"])]),
  });
}
