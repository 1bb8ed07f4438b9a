# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

rows = json.load(open(sys.argv[1]))
fields = {"kernel": str, "device": str, "local": list, "global": list, "cycles": float, "time_ns": float, "occupancy": float, "limiter": str,
          "model": str, "confidence": float, "registers": int, "spill_bytes": int, "local_memory": int, "bottlenecks": list, "rank": int}
for row in rows:
    for name, kind in fields.items():
        assert isinstance(row[name], kind), (name, row[name])
    for bottleneck in row["bottlenecks"]:
        for name in ("cause", "file", "line", "column", "share", "speedup"):
            assert name in bottleneck, name
    assert 0 <= row["confidence"] <= 1 and row["cycles"] > 0 and row["global"] == [2048, 2048, 1]
print("fields ok")
assert [row["rank"] for row in rows][0] == 1 and len(rows) == 3
print("ranks ok")
cycles = {tuple(row["local"]): row["cycles"] for row in rows}
assert cycles[16, 16, 1] < cycles[1, 256, 1] and cycles[32, 8, 1] < cycles[1, 256, 1], cycles
print("order ok")
