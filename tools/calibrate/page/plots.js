// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of what was found, then a chart for each curve with its numbers as a table.
(function () {
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const WIDTH = 720, HEIGHT = 300, LEFT = 64, RIGHT = 12, TOP = 12, BOTTOM = 44;
    const number = x => d3.format(".4~g")(x);

    function table(parent, heads, rows) {
        const element = parent.append("table");
        element.append("thead").append("tr").selectAll("th").data(heads).enter().append("th").text(d => d);
        element.append("tbody").selectAll("tr").data(rows).enter().append("tr")
            .selectAll("td").data(d => d).enter().append("td")
            .attr("class", d => typeof d === "number" ? "number" : null)
            .text(d => typeof d === "number" ? number(d) : d);
    }

    function chart(parent, curve) {
        const figure = parent.append("figure");
        figure.append("figcaption").text(curve.title);
        const points = curve.points, fits = points.filter(p => p.fit !== null);
        const svg = figure.append("svg").attr("viewBox", `0 0 ${WIDTH} ${HEIGHT}`).attr("role", "img")
            .attr("aria-label", `${curve.title}: ${curve.y_label} over ${curve.x_label}`);
        const x = (curve.log_x ? d3.scaleLog().base(2) : d3.scaleLinear()).domain(d3.extent(points, p => p.x))
            .range([LEFT, WIDTH - RIGHT]);
        const y = d3.scaleLinear().domain([0, d3.max(points, p => Math.max(p.y, p.fit))]).nice()
            .range([HEIGHT - BOTTOM, TOP]);
        svg.append("g").attr("transform", `translate(0,${HEIGHT - BOTTOM})`)
            .call(d3.axisBottom(x).ticks(8).tickFormat(d3.format(".3~s")));
        svg.append("g").attr("transform", `translate(${LEFT},0)`).call(d3.axisLeft(y).ticks(6));
        svg.append("text").attr("x", WIDTH - RIGHT).attr("y", HEIGHT - 6).attr("text-anchor", "end").text(curve.x_label);
        svg.append("text").attr("x", 4).attr("y", TOP).text(curve.y_label);
        if (fits.length > 1)
            svg.append("path").attr("class", "fit").attr("d", d3.line().x(p => x(p.x)).y(p => y(p.fit))(fits));
        svg.append("g").selectAll("circle").data(points).enter().append("circle")
            .attr("class", "point").attr("r", 3.5).attr("cx", p => x(p.x)).attr("cy", p => y(p.y));
        const details = figure.append("details");
        details.append("summary").text("numbers");
        table(details, [curve.x_label, curve.y_label, "fit"], points.map(p => [p.x, p.y, p.fit === null ? "" : p.fit]));
    }

    d3.select("#about").text(`${data.title}: ${data.launches} launches`);
    const main = d3.select("#main");
    main.append("h2").text("Numbers");
    table(main, ["field", "measured", "entry", "off by at most", "by"], data.findings.map(f =>
        [f.field, f.verdict === "found" ? f.value : f.verdict, f.entry === null ? "" : f.entry,
            f.verdict === "found" ? d3.format(".1%")(f.spread) : "", f.how]));
    main.append("h2").text("Curves");
    data.curves.forEach(curve => chart(main, curve));
})();
