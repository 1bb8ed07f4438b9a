# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unpack.py PAGE: the data of a report's page, as JSON."""
import base64
import json
import re
import sys
import zlib

packed = re.search(r'id="data">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read()).group(1)
print(json.dumps(json.loads(zlib.decompress(base64.b64decode(packed)))))
