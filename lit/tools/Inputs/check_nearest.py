# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

itself, other = json.load(sys.stdin)
assert "nearest_device" not in itself
print(itself["device"], "itself")
same = itself["cycles"] == other["cycles"] and itself["time_ns"] == other["time_ns"]
less = 0 < other["confidence"] < itself["confidence"]
print(other["device"], "nearest", other["nearest_device"] + ("," if same else ", NOT"), "the same time" + ("," if less else ", NOT"), "less confidence")
