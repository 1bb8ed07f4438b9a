# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import sys

printed = float(re.search(r"repaired: ([0-9.]+)x", open(sys.argv[1]).read()).group(1))
row = json.load(open(sys.argv[2]))[0]
assert abs(printed - row["all_speedup"]) <= 0.005, (printed, row["all_speedup"])
print("the table's and JSON's are the same")
mended = [bottleneck["share"] for bottleneck in row["bottlenecks"] if bottleneck["cause"] not in ("latency", "bandwidth")]
assert len(mended) > 1 and abs(sum(mended) - (1 - 1 / row["all_speedup"])) > 0.01, (mended, row["all_speedup"])
print("no sum of the single gains")
