# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_rows.py ALL EACH: whether the rows of the JSON array ALL are those of the arrays in EACH, but for the bottlenecks."""
import json
import sys

rows = lambda text: [{k: v for k, v in row.items() if k not in ("bottlenecks", "hot_loop", "all_speedup", "lines")} for row in text]
together = rows(json.load(open(sys.argv[1])))
alone, text, decoder = [], open(sys.argv[2]).read().strip(), json.JSONDecoder()
while text:
    array, end = decoder.raw_decode(text)
    alone += rows(array)
    text = text[end:].strip()
key = lambda row: json.dumps(row, sort_keys=True)
if sorted(map(key, together)) != sorted(map(key, alone)):
    sys.exit("rows differ: " + str(next(row for row in together if row not in alone)))
print("as alone:", len(together), "rows")
