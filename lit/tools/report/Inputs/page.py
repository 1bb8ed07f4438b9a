# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page.py PAGE: what is in a report's page, as a browser's parser sees it."""
import base64
import html.parser
import json
import os
import sys
import zlib


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.data, self.inside, self.loads = [], False, []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside = tag == "script" and attributes.get("id") == "data"
        if self.inside:
            self.data.append("")
        self.loads += [value for name, value in attributes.items() if name in ("src", "srcset") or name == "href" and not value.startswith("#")]

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, text):
        if self.inside:
            self.data[-1] += text


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
print("below 1 MB:", os.path.getsize(sys.argv[1]) < 1 << 20)
print("elements of data:", len(page.data))
report = json.loads(zlib.decompress(base64.b64decode(page.data[0])))
print("failed:", [f["file"] for f in report["failed"]])
rows = report["predictions"]
kernels, devices = list(dict.fromkeys(r["kernel"] for r in rows)), list(dict.fromkeys(r["device"] for r in rows))
print(report["schema"], kernels, devices)
print("sizes with this launch, ranked:", all(r["local"] in [s["local"] for s in r["sizes"]] and r["sizes"][0]["rank"] == 1 for r in rows))
place = rows[0]["place"]
part = [p for p in report["sources"][place["file"]] if p["first"] <= place["line"] < p["first"] + len(p["lines"])][0]
print(f"source of {rows[0]['kernel']}:", part["lines"][place["line"] - part["first"]])
print("loads nothing:", not page.loads)
