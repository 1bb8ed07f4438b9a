# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many local sizes a prediction has for each device, and the fastest."""
import json
import sys

predictions = json.load(open(sys.argv[1]))
for device in dict.fromkeys(p["device"] for p in predictions):
    own = [p for p in predictions if p["device"] == device]
    print(device, len(own), "sizes, first", "x".join(map(str, own[0]["local"])))
