# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""changes.py PAGE: each row of a report's page, how it has changed, and the notes."""
import base64
import json
import re
import sys
import zlib

packed = re.search(r'id="data">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read()).group(1)
report = json.loads(zlib.decompress(base64.b64decode(packed)))
for row in report["predictions"]:
    change = "new" if "ratio" not in row else "unchanged" if abs(row["ratio"] - 1) < 0.01 else "faster" if row["ratio"] < 1 else "slower"
    print(row["file"], row["kernel"], change, "went:", row.get("causes_went"), "came:", row.get("causes_came"))
print("\n".join(report["notes"]))
