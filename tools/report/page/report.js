/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The whole page from its data. */

const OPEN_AT_FIRST = 6;

/* What a link leads to may be in a section that has not been opened. */
function followHash(kernels) {
  const target = decodeURIComponent(location.hash.slice(1)), kernel = kernels.find(k => target === k.id || target.startsWith(`${k.id}-`));
  if (!kernel) return;
  kernel.open();
  const element = document.getElementById(target) || document.getElementById(kernel.id);
  element.scrollIntoView();
  (element.querySelector("summary") || element).focus({preventScroll: true});
}

function showKernels(section, kernels, sources) {
  const controls = add(section, "div", "controls");
  for (const kernel of kernels) addKernel(section, kernel, kernels, sources);
  add(controls, "button", null, "Open all").attr("type", "button").on("click", () => kernels.forEach(k => k.open()));
  add(controls, "button", null, "Close all").attr("type", "button").on("click", () => section.selectAll("details.kernel").property("open", false));
  if (kernels.length <= OPEN_AT_FIRST) kernels.forEach(k => k.open());
}

function showNotes(section, data) {
  const notes = [...(data.failed || []).map(f => `${f.file}: not looked at: ${f.error}`), ...(data.notes || []).map(n => `Left out: ${n}`)];
  if (!data.sources_whole) notes.push("Some sources are left out: the page would be too large with all of them.");
  section.attr("hidden", notes.length ? null : "");
  const list = add(section, "ul");
  for (const note of notes) add(list, "li", null, note);
}

function showContents(nav) {
  const list = add(nav, "ul");
  d3.selectAll("main > section:not([hidden])").each(function () {
    addLink(add(list, "li"), this.id, d3.select(this).select("h2").text());
  });
}

function showReport(data) {
  const {kernels, devices} = groupRows(data.predictions || []), page = d3.select("body");
  const files = new Set(kernels.map(k => k.file)).size;
  page.select("#about").text(`${countText(kernels.length, "kernel")} of ${countText(files, "file")} on ${devices.map(d => d.name).join(", ") || "no device"}; gpuperf ${data.version}`);
  showProgram(page.select("#overview"), data.program);
  showOverview(page.select("#overview"), kernels, devices);
  showCosts(page.select("#costs"), kernels);
  showKernels(page.select("#kernels"), kernels, data.sources || {});
  showNotes(page.select("#notes"), data);
  showContents(page.select("#contents"));
  window.addEventListener("hashchange", () => followHash(kernels));
  followHash(kernels);
}
