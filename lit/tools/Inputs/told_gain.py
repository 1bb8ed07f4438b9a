# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""told_gain.py JSON BAD GOOD TOLERANCE [CAUSE]: the speedup that CAUSE (throughput) tells of kernel BAD is how much faster GOOD is predicted, on every device."""
import json
import sys

rows = json.load(open(sys.argv[1]))
bad, good, tolerance = sys.argv[2], sys.argv[3], float(sys.argv[4])
cause = sys.argv[5] if len(sys.argv) > 5 else "throughput"
time = {(row["kernel"], row["device"]): row["time_ns"] for row in rows}
told = {(row["kernel"], row["device"]): b["speedup"] for row in rows for b in row["bottlenecks"] if b["cause"] == cause}
devices = {row["device"] for row in rows}
assert devices
for device in sorted(devices):
    gain = time[bad, device] / time[good, device]
    print(device, "told", told[bad, device], "is", gain)
    assert abs(told[bad, device] / gain - 1) < tolerance
