/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A roofline, the same for all devices: along the bottom operations per byte over what the device balances (1: its
 * busiest pipe and its memory would take equally long), upwards the share of that pipe's peak rate. From the ideal
 * times of the operations alone and of the bytes alone; nothing gets above the roof, and the way up to it is the
 * headroom.
 */

const ROOF_LEAST = 1e-3;

function roofPlaces(row) {
  const moving = row.ideal_moving_ns, computing = row.ideal_computing_ns;
  if (!(moving > 0) || !(computing > 0)) return null;
  const best = bestSize(row), at = ns => Math.max(ROOF_LEAST, Math.min(1, computing / ns)), x = Math.max(ROOF_LEAST, Math.min(1 / ROOF_LEAST, computing / moving));
  const marks = [{kind: "ideal", name: "ideal", x, y: Math.min(1, x), ns: Math.max(moving, computing)}];
  if (best && !isOwnSize(row, best)) marks.push({kind: "best", name: `best size, ${sizeText(best.local)}`, x, y: at(best.time_ns), ns: best.time_ns});
  marks.push({kind: "own", name: "this launch", x, y: at(row.time_ns), ns: row.time_ns});
  return {row, x, marks};
}

const ROOF_SYMBOLS = {ideal: d3.symbolTriangle, best: d3.symbolDiamond, own: d3.symbolCircle};

function roofAxes(svg, x, y, width, height) {
  const power = value => value >= 1 ? d3.format("~g")(value) : `1/${d3.format("~g")(1 / value)}`;
  const ticks = d3.range(-3, 4).map(e => 10 ** e).filter(v => v >= x.domain()[0] && v <= x.domain()[1]);
  svg.append("g").attr("transform", `translate(0,${height - 34})`).call(d3.axisBottom(x).tickValues(ticks).tickFormat(power).tickSizeOuter(0));
  svg.append("g").attr("transform", `translate(44,0)`).call(d3.axisLeft(y).tickValues([0.001, 0.01, 0.1, 1].filter(v => v >= y.domain()[0])).tickFormat(v => d3.format("~p")(v)).tickSizeOuter(0));
  svg.append("text").attr("class", "soft").attr("x", width - 8).attr("y", height - 4).attr("text-anchor", "end").text("operations per byte / the device's balance");
  svg.append("text").attr("class", "soft").attr("x", 4).attr("y", 9).text("of peak rate");
}

function drawRoofline(svg, places, width, height) {
  const all = places.flatMap(place => place.marks), lowX = Math.min(0.1, ...places.map(p => p.x)) / 1.5, highX = Math.max(10, ...places.map(p => p.x)) * 1.5;
  const lowY = Math.min(0.1, ...all.map(mark => mark.y)) / 1.5;
  const x = d3.scaleLog().domain([lowX, highX]).range([44, width - 10]), y = d3.scaleLog().domain([lowY, 1]).range([height - 34, 18]);
  roofAxes(svg, x, y, width, height);
  const foot = Math.max(lowX, lowY);
  svg.append("path").attr("class", "roof").attr("d", `M${x(foot)},${y(foot)}L${x(1)},${y(1)}H${x(highX)}`);
  for (const {row, marks} of places) {
    svg.append("line").attr("class", "rise").attr("x1", x(marks[0].x)).attr("x2", x(marks[0].x)).attr("y1", y(marks[0].y)).attr("y2", y(marks[marks.length - 1].y));
    for (const mark of marks)
      svg.append("path").attr("class", `dot ${mark.kind}`).attr("transform", `translate(${x(mark.x)},${y(mark.y)})`).attr("d", d3.symbol().type(ROOF_SYMBOLS[mark.kind]).size(62)());
    if (places.length > 1) {
      const right = x(marks[0].x) > width - 90;
      svg.append("text").attr("x", x(marks[0].x) + (right ? -8 : 8)).attr("y", y(marks[marks.length - 1].y)).attr("dy", ".35em").attr("text-anchor", right ? "end" : "start").text(row.device);
    }
  }
}

function showRoofline(parent, rows) {
  const places = rows.map(roofPlaces).filter(Boolean), width = 400, height = 230;
  if (!places.length) return;
  addChart(parent, {
    title: places.length > 1 ? "Roofline, all devices" : "Roofline", width, height,
    summary: places.map(({row, x, marks}) => `${row.device}: ${x < 1 ? "memory" : "computing"} is the roof, this launch is ${gainText(marks[marks.length - 1].ns / marks[0].ns)} its time`).join("; "),
    note: "Circle: this launch; diamond: the best size; triangle: the ideal, each byte moved once and each operation at its pipe's rate.",
    draw: svg => drawRoofline(svg, places, width, height),
    columns: [{name: "Device"}, {name: "What"}, {name: "Operations per byte / balance", number: true}, {name: "Of peak rate", number: true}, {name: "Time", number: true}],
    rows: places.flatMap(({row, marks}) => marks.slice().reverse().map(mark => [row.device, mark.name, d3.format(".2~g")(mark.x), percentText(mark.y), timeText(mark.ns)])),
  });
}
