/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the launch is taken to be, and why. */

/* Of an assumed argument that decides the time. */
function effectOf(item) {
  const parts = [];
  if (item.halved) parts.push(`half of it: ${item.halved.toFixed(2)}x the time`);
  if (item.doubled) parts.push(`twice: ${item.doubled.toFixed(2)}x`);
  return parts.join(", ");
}

function showAssumptions(parent, row) {
  const list = row.assumptions || [];
  if (!list.length) return;
  const assumed = list.filter(item => !item.stated).length;
  add(parent, "h5", null, "Assumptions");
  addTable(parent, assumed === 0 ? "All of the launch is stated." : assumed === list.length ? "Nothing of the launch is stated: state it in gpuperf.yaml." :
    `${assumed} of ${list.length} are assumed; state them in gpuperf.yaml.`, [{name: "What"}, {name: "Value"}, {name: "Why"}, {name: "What it changes"}],
    list.map(item => [item.name, item.value, item.stated ? "stated" : `assumed: ${item.why}`, effectOf(item)]));
}
