#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 22 kernels under the layer with GPUPERF_SAMPLE=on on PoCL: what sampling kept against the driver's size. Fails where
# another size was kept and is more than 5% slower, the margin that sampling decides by, and where nothing was sampled.
# Where the driver's was kept both columns are the same size, and differ by what the machine disturbs.
# usage: bench/kept.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
ninja -C "$build" kept gpuperf-opencl > /dev/null
build=$(cd "$build" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OPENCL_LAYERS="$build/runtime/libgpuperf-opencl.so" GPUPERF_PLUGIN="$build/plugin/gpuperf.so" GPUPERF_SAMPLE=on
export GPUPERF_BUILD_MS=0 GPUPERF_WAIT=120000 GPUPERF_CACHE= GPUPERF_LOG=1
"$build/bench/kept" . > "$scratch/times" 2> "$scratch/log"
awk 'FILENAME == ARGV[1] {
         if (/from=sample/)
             for (i = 3; i <= NF; i++)
                 if ($i ~ /^local=/) size[$2] = substr($i, 7)
         next
     }
     FNR == 1 { printf "%-20s %8s %8s %9s %9s %6s\n", "kernel", "kept", "driver", "kept ms", "ms", "gain" }
     {
         kept = $1 in size ? size[$1] : "-"
         sampled += kept != "-"
         another = kept != $2 && kept != "-"
         bad = another && $3 > 1.05 * $4
         slower += bad
         other += another
         printf "%-20s %8s %8s %9.2f %9.2f %6.2f%s\n", $1, kept, $2, $3, $4, $4 / $3, bad ? "  SLOWER" : ""
     }
     END {
         printf "another size was kept for %d of %d, slower %d\n", other, FNR, slower
         exit slower > 0 || sampled == 0
     }' "$scratch/log" "$scratch/times"
