/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel's section: its source, and for each device its launch, charts and assumptions. */

function facts(parent, pairs) {
  const list = add(parent, "dl", "facts");
  for (const [name, value] of pairs) if (value) { add(list, "dt", null, name); add(list, "dd", null, value); }
}

function headroomText(row) {
  if (!(row.headroom > 0)) return "";
  const at = `${timeText(row.ideal_ns)} at best, limited by ${unitName(row.ideal_by)}`;
  return row.at_roof ? `none worth speaking of: ${at}` : `${gainText(row.headroom)}: ${at}`;
}

function causesText(row) {
  return [...(row.causes_went || []).map(c => `\u2212${c}`), ...(row.causes_came || []).map(c => `+${c}`)].join(", ");
}

function showDevice(parent, kernel, row) {
  const id = `${kernel.id}-${deviceKey(row.device)}`, panel = add(parent, "section", "device").attr("id", id).attr("aria-labelledby", `${id}-title`).attr("tabindex", -1);
  const title = add(panel, "h4", null, row.title && row.title !== row.device ? `${row.device}: ${row.title}` : row.device).attr("id", `${id}-title`).style("margin-top", 0);
  title.style("font-size", "1.05rem");
  facts(panel, [
    ["launch", row.launch], ["time", [`${row.endless_loop ? "at least " : ""}${timeText(row.time_ns)}`, rangeText(row)].filter(Boolean).join(", ")], ["change", row.ratio > 0 ? `${changeText(row)}${causesText(row) ? `; ${causesText(row)}` : ""}` : ""],
    ["launch before", row.base_launch],
    ["headroom", headroomText(row)], ["confidence", percentText(row.confidence)], ["limiter", unitName(row.limiter)], ["caches", row.caches],
    ["registers", [row.registers, row.spill_bytes ? `${row.spill_bytes} bytes spilled` : ""].filter(Boolean).join(", ")],
    ["local memory", row.local_memory ? `${row.local_memory} bytes of a group` : ""],
    ["verdict", row.verdict && (row.verdict !== "ok" || row.why) ? `${row.verdict}: ${row.why || ""}` : ""]]);
  showRoofline(panel, [row]);
  showSizes(panel, row);
  showUnits(panel, row);
  if (kernel.rows.size === 1) showStacks(panel, [row]);
  showOccupancy(panel, row);
  showResidents(panel, row);
  showAssumptions(panel, row);
}

function fillKernel(body, kernel, kernels, sources) {
  showSource(body, kernel, kernels, sources);
  const devices = add(body, "div", "devices"), rows = [...kernel.rows.values()];
  if (rows.length > 1) {
    const all = add(devices, "section", "device").attr("aria-label", "All devices");
    if (rows.filter(roofPlaces).length > 1) showRoofline(all, rows);
    showStacks(all, rows);
    if (all.selectAll("figure").empty()) all.remove();
  }
  for (const row of rows) showDevice(devices, kernel, row);
}

/* Drawn when it is opened first: a tree has hundreds of kernels. */
function addKernel(section, kernel, kernels, sources) {
  const details = add(section, "details", "kernel").attr("id", kernel.id);
  const summary = add(details, "summary"), rows = [...kernel.rows.values()];
  add(summary, "h3", "code", kernel.name);
  add(summary, "small", null, `${kernel.file}${kernel.place.line ? `:${kernel.place.line}` : ""} \u2014 ${rows.map(row => `${row.device} ${timeText(row.time_ns)}`).join(", ")}`);
  const body = add(details, "div");
  kernel.open = () => {
    if (!kernel.filled) fillKernel(body, kernel, kernels, sources);
    kernel.filled = true;
    details.property("open", true);
  };
  details.on("toggle", () => { if (details.property("open")) kernel.open(); });
}
