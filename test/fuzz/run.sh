#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh PROGRAM FOUND SEEDS [libFuzzer's options, and further folders]: a fuzz target for a fixed number of runs, in an empty folder for what it finds: the first one, which alone is written to.
set -eu
program=$1 found=$2 seeds=$3
shift 3
rm -rf "$found"
mkdir "$found"
[ -d "$seeds" ] || seeds=
exec "$program" "$found" $seeds -rss_limit_mb=1024 -timeout=20 -verbosity=0 "$@"
