/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many warps an SM has at a time, and what would give it more. */

function nextStepText(row) {
  const next = row.occupancy_next;
  if (next === undefined) return "";
  if (next === null) return "No change of one thing leaves more warps resident.";
  const what = next.registers_fewer ? countText(next.registers_fewer, "register") + " fewer" :
    next.local_memory_fewer ? `${countText(next.local_memory_fewer, "byte")} of local memory fewer` : `groups of ${countText(next.work_items, "work-item")}`;
  return `Next step: ${what} would make it ${countText(next.groups, "group")}, ${percentText(next.occupancy)}.`;
}

function showOccupancy(parent, row) {
  const next = row.occupancy_next, groups = row.resident_groups, width = 400;
  const at = groups > 0 ? `${countText(+groups.toFixed(2), "group")} on an SM at a time. ` : "";
  const rows = [["this launch", percentText(row.occupancy), groups > 0 ? +groups.toFixed(2) : "\u2013"]];
  if (next) rows.push(["next step", percentText(next.occupancy), next.groups]);
  addChart(parent, {
    title: "Occupancy", width, height: 28, summary: `${percentText(row.occupancy)} of the warps that an SM holds. ${at}${nextStepText(row)}`,
    note: at + nextStepText(row),
    draw: svg => drawBars(svg, [{name: "warps", share: row.occupancy, next: next ? next.occupancy : 0}], width, 112),
    columns: [{name: "Occupancy"}, {name: "Of the SM's warps", number: true}, {name: "Groups", number: true}], rows,
  });
}
