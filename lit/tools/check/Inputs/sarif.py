# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what FileCheck looks at of two SARIF files."""
import json
import sys

one, two = [json.load(open(name)) for name in sys.argv[1:3]]
run = one["runs"][0]
result = next(r for r in run["results"] if r["ruleId"] == "gpuperf/uncoalesced")
place = result["locations"][0]["physicalLocation"]
region = place["region"]
print(one["version"], run["tool"]["driver"]["name"], result["ruleId"], result["level"], place["artifactLocation"]["uri"], region["startLine"],
      "wider than 0:", region["endColumn"] > region["startColumn"])
prints = [[r["partialFingerprints"] for r in whole["runs"][0]["results"]] for whole in (one, two)]
lines = [[r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in whole["runs"][0]["results"]] for whole in (one, two)]
print("same fingerprints: %s, two lines on: %s" % (prints[0] == prints[1], [n + 2 for n in lines[0]] == lines[1]))
