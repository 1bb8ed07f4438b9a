# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bare_targets.py GPUPERF BOARDS.tsv PROFILE: for each target the range of its prediction, and the predictions of its
# boards; says which are outside.
import json
import subprocess
import sys

gpuperf, table, profile = sys.argv[1:]
boards = {}
for line in open(table):
    cells = line.rstrip("\n").split("\t")
    if not line.startswith("#") and cells[0] != "board" and cells[2][:2] in ("sm", "gf"):
        boards.setdefault(cells[2], []).append(cells[0])


def predict(devices):
    command = [gpuperf, "predict", profile, "--device", ",".join(devices), "--json"]
    command += ["--global", "1048576", "--local", "256", "--arg", "n=1048576"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


outside = []
targets = list(boards)
ranges = dict(zip(targets, predict(targets)))
for target in targets:
    low, high = ranges[target]["time_ns_low"], ranges[target]["time_ns_high"]
    for name, one in zip(boards[target], predict(boards[target])):
        if not low <= one["time_ns"] <= high:
            outside.append(f"{name}: {one['time_ns']:.0f} ns is not in {target}'s {low:.0f} to {high:.0f}")
print(len(targets), "targets,", sum(map(len, boards.values())), "boards")
print("\n".join(outside))
sys.exit(len(outside) > 0)
