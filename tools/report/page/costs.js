/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Over all kernels and devices: the findings that cost most time. */

const MOST_COSTS = 12;

/* The same finding on several devices is one, told as it is where it costs most. */
function mergeDevices(costs) {
  const merged = new Map();
  for (const cost of costs) {
    const key = JSON.stringify([cost.kernel.id, cost.b.cause, cost.b.file, cost.b.line]);
    if (!merged.has(key)) merged.set(key, {...cost, on: []});
    merged.get(key).on.push(cost);
  }
  return [...merged.values()];
}

function listCosts(kernels) {
  const costs = [];
  for (const kernel of kernels)
    for (const row of kernel.rows.values())
      for (const b of row.bottlenecks || [])
        if (b.warns && b.share >= 0.05) costs.push({kernel, row, b, ns: b.share * row.time_ns});
  return mergeDevices(costs.sort((x, y) => y.ns - x.ns));
}

function showCosts(section, kernels) {
  const costs = listCosts(kernels);
  if (!costs.length) {
    add(section, "p", null, "Nothing that a change of the source could remove costs a twentieth of a kernel's time or more.");
    return;
  }
  const columns = [{name: "Place"}, {name: "Kernel"}, {name: "Costs, and gain without"}, {name: "What, and what to do"}];
  addTable(section, `Findings by the time they cost${costs.length > MOST_COSTS ? `, the first ${MOST_COSTS} of ${costs.length}` : ""}`, columns,
    costs.slice(0, MOST_COSTS).map(({kernel, b, on}) => [
      cell => addLink(cell, lineId(kernel, b.file, b.line), `${b.file.replace(/.*\//, "")}:${b.line}`),
      kernel.name,
      cell => on.forEach(({row, b, ns}) => add(cell, "div", "nowrap", `${row.device}: ${timeText(ns)} (${percentText(b.share)}), ${gainText(b.speedup)}`)),
      cell => { add(cell, "span", "tag", b.cause); cell.append("span").text(` ${b.measure}. ${b.advice || ""}`); }]));
}
