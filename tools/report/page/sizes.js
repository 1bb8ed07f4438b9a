/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time over local sizes: a dot each, fastest first, with its range where there is one. */

const MOST_SIZES = 14, FASTEST_SIZES = 5;

/* The fastest, this launch's, and of the others some, evenly over their ranks up to the slowest. */
function shownSizes(row) {
  const all = row.sizes, others = all.length - FASTEST_SIZES, room = MOST_SIZES - FASTEST_SIZES;
  if (all.length <= MOST_SIZES) return all;
  const kept = new Set(d3.range(FASTEST_SIZES));
  for (let i = 1; i <= room; i++) kept.add(FASTEST_SIZES - 1 + Math.round(i * others / room));
  return all.filter((size, i) => kept.has(i) || isOwnSize(row, size));
}

function timeScale(sizes, from, to) {
  const high = Math.max(...sizes.map(s => s.time_ns_high || s.time_ns)), low = Math.min(...sizes.map(s => s.time_ns_low || s.time_ns));
  return high > 8 * low ? d3.scaleLog().domain([low / 1.2, high * 1.1]).range([from, to]) : d3.scaleLinear().domain([0, high * 1.05]).range([from, to]);
}

/* At most four of a logarithmic scale, which are 1, 2, 5 or 1, 3 or 1 of each decade. */
function timeTicks(x) {
  if (!x.base) return x.ticks(4);
  const [low, high] = x.domain(), decades = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1);
  const choices = [[1, 2, 5], [1, 3], [1]].map(steps => decades.flatMap(e => steps.map(step => step * 10 ** e)).filter(t => t >= low && t <= high));
  return choices.find(ticks => ticks.length <= 4) || choices[2].filter((_, i) => i % 2 === 0);
}

function drawTimeAxis(svg, x, y, height) {
  svg.append("g").attr("transform", `translate(0,${y})`)
    .call(d3.axisBottom(x).tickValues(timeTicks(x)).tickFormat(ns => ns === 0 ? "0" : timeText(ns)).tickSizeInner(-height).tickPadding(6))
    .call(g => g.select(".domain").remove());
}

function drawSizes(svg, row, sizes, width, height) {
  const left = 78, top = 6, bottom = height - 24;
  const x = timeScale(sizes, left, width - 62);
  const y = d3.scalePoint().domain(sizes.map(s => s.local.join())).range([top, bottom]).padding(0.6);
  drawTimeAxis(svg, x, bottom, bottom - top);
  sizes.forEach((size, i) => {
    const at = y(size.local.join()), kind = isOwnSize(row, size) ? "own" : i === 0 ? "best" : "";
    svg.append("text").attr("x", left - 8).attr("y", at).attr("dy", ".35em").attr("text-anchor", "end").text(sizeText(size.local));
    if (size.time_ns_low > 0 && size.time_ns_high > 0)
      svg.append("line").attr("class", `span ${kind}`).attr("x1", x(size.time_ns_low)).attr("x2", x(size.time_ns_high)).attr("y1", at).attr("y2", at);
    svg.append("path").attr("class", `dot ${kind}`).attr("transform", `translate(${x(size.time_ns)},${at})`)
      .attr("d", d3.symbol().type(kind === "best" ? d3.symbolDiamond : d3.symbolCircle).size(kind ? 70 : 40)());
    if (kind) svg.append("text").attr("x", width).attr("y", at).attr("dy", ".35em").attr("text-anchor", "end")
      .text(kind === "own" ? (i === 0 ? "yours, best" : "yours") : "best");
  });
}

function showSizes(parent, row) {
  if (!row.sizes || row.sizes.length < 2) return;
  const sizes = shownSizes(row), best = row.sizes[0], width = 400, height = 17 * sizes.length + 40;
  const left = row.sizes.length - sizes.length;
  addChart(parent, {
    title: "Time over local sizes", width, height,
    summary: `Of ${countText(row.sizes.length, "size")}, ${sizeText(best.local)} is best with ${timeText(best.time_ns)}; this launch has ${sizeText(row.local)} with ${timeText(row.time_ns)}.`,
    note: left > 0 ? `${countText(left, "other size")} between these: in the numbers` : "",
    draw: svg => drawSizes(svg, row, sizes, width, height),
    columns: [{name: "Local size"}, {name: "Time", number: true}, {name: "Range"}, {name: "Confidence", number: true}, {name: "Occupancy", number: true}, {name: "Limiter"}],
    rows: row.sizes.map(s => [sizeText(s.local), timeText(s.time_ns), rangeText(s) || "\u2013", percentText(s.confidence), percentText(s.occupancy), s.limiter]),
  });
}
