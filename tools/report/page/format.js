/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers as the page writes them. */

function timeText(ns) {
  const [from, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]].find(([from]) => ns >= from) || [1, "ns"];
  const value = ns / from;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}

function percentText(share) { return `${Math.round(100 * share)}%`; }

function timesText(factor) { return `${factor.toFixed(factor < 10 ? 2 : factor < 100 ? 1 : 0)}\u00d7`; }

function gainText(factor) { return `${factor.toFixed(factor < 1.95 ? 2 : factor < 10 ? 1 : 0)}\u00d7`; }

function sizeText(local) {
  const dims = local[2] > 1 ? 3 : local[1] > 1 ? 2 : 1;
  return local.slice(0, dims).join("\u00d7");
}

function countText(count, word, words = `${word}s`) { return `${count} ${count === 1 ? word : words}`; }

function rangeText(row) {
  return row.time_ns_low > 0 && row.time_ns_high > 0 ? `${timeText(row.time_ns_low)} to ${timeText(row.time_ns_high)}` : "";
}

/* A change of less than a percent is none. */
function changeText(row) {
  const before = `${timeText(row.base_ns)} before`;
  if (Math.abs(row.ratio - 1) < 0.01) return `unchanged, ${before}`;
  return row.ratio < 1 ? `\u25bc ${gainText(1 / row.ratio)} faster, ${before}` : `\u25b2 ${gainText(row.ratio)} slower, ${before}`;
}
