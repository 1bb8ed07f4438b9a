/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The predictions by kernel and device. */

function kernelKey(row) { return JSON.stringify([row.file, row.kernel, row.symbol || "", row.place && row.place.line]); }

function deviceKey(name) { return name.replace(/[^A-Za-z0-9]/g, "-"); }

function groupRows(predictions) {
  const kernels = new Map(), devices = new Map();
  for (const row of predictions) {
    const key = kernelKey(row);
    if (!kernels.has(key))
      kernels.set(key, {id: `k${kernels.size + 1}`, name: row.symbol || row.kernel, file: row.file || "", place: row.place || {}, rows: new Map()});
    kernels.get(key).rows.set(row.device, row);
    if (!devices.has(row.device)) devices.set(row.device, {name: row.device, title: row.title || row.device});
  }
  return {kernels: [...kernels.values()], devices: [...devices.values()]};
}

/* How far from what could be: from the device's limits where that is known, else from the kernel with its findings repaired. */
function headroomOf(row) {
  if (row.headroom > 0) return {factor: row.headroom, ideal: true};
  const gains = (row.bottlenecks || []).filter(b => b.warns).map(b => b.speedup);
  return {factor: row.all_speedup || Math.max(1, ...gains), ideal: false};
}

const HEADROOM_STEPS = [1.2, 1.5, 2, 4];
function headroomClass(factor) { return `h${HEADROOM_STEPS.filter(step => factor >= step).length}`; }

function bestSize(row) { return row.sizes && row.sizes.length ? row.sizes[0] : null; }

function isOwnSize(row, size) { return size.local.join() === row.local.join(); }

/* A finding's place in the page. */
function lineId(kernel, file, line) { return `${kernel.id}-${file === kernel.place.file ? "" : deviceKey(file) + "-"}L${line}`; }
