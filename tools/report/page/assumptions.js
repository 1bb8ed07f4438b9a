/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the launch is taken to be, and why. */

function showAssumptions(parent, row) {
  const list = row.assumptions || [];
  if (!list.length) return;
  const assumed = list.filter(item => !item.stated).length;
  add(parent, "h5", null, "Assumptions");
  addTable(parent, assumed === 0 ? "All of the launch is stated." : assumed === list.length ? "Nothing of the launch is stated: state it in gpuperf.yaml." :
    `${assumed} of ${list.length} are assumed; state them in gpuperf.yaml.`, [{name: "What"}, {name: "Value"}, {name: "Why"}],
    list.map(item => [item.name, item.value, item.stated ? "stated" : `assumed: ${item.why}`]));
}
