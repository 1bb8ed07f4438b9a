#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# No room calls upwards, and no two rooms call each other (docs/architecture.md): by the include lines of the sources and by the symbols
# that the built objects define and want, so that a function's address in a table counts as a call does.
# usage: test/rooms.sh SOURCE BUILD
set -eu
source=$1 build=$2
# From the bottom up: a room may use those before it. model/predict.h and model/trace/trace.h say what a prediction and a trace are; the rooms
# that fill them in see them (the first word of a line is the room, the others are where its files begin).
rooms='
support    support/
hwdb       hwdb/
profile    model/profile/
value      model/value/
launch     model/launch/
compilers  model/compilers/
executor   model/executor/
sampling   model/sampling/
cache      model/cache/
memory     model/memory/
assume     model/assume/
observe    model/observe/
timing     model/timing/
trace      model/trace/
answer     model/predict.h
findings   model/findings/
predict    model/predict/ model/predict.c
ir         passes/ir/
cost       passes/cost/
analysis   passes/analysis/
tidy       passes/tidy/
assembly   passes/assembly/
nvidia     passes/nvidia/
emit       passes/emit/
passes     passes/
'
cd "$source"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# USER USED WHAT, a line for each include of a file of ours, and for each symbol.
git ls-files '*.c' '*.h' '*.cpp' | grep -E '^(support|hwdb|model|passes)/' | xargs grep -H '^#include "' | sed 's/^\([^:]*\):#include "\([^"]*\)".*/\1 \2 includes/' > "$scratch/edges"
(cd "$build" && find support hwdb model passes -name '*.o' | sort | xargs nm -A 2> /dev/null) |
    sed 's/CMakeFiles\/[^/]*\.dir\///; s/\.o:/ /' |
    awk 'NF == 3 && $2 == "U" { print "U", $3, $1 } NF == 4 && $3 ~ /[TDBRC]/ { print "D", $4, $1 }' > "$scratch/all"
git ls-files | awk 'NR == FNR { ours[$0] = 1; next } $3 in ours' - "$scratch/all" > "$scratch/symbols" # others' sources have gone
awk '$1 == "D" && !($2 in at) { at[$2] = $3 } $1 == "U" { wanted[++n] = $2; by[n] = $3 }
    END { for (i = 1; i <= n; i++) if (wanted[i] in at) print by[i], at[wanted[i]], wanted[i] }' "$scratch/symbols" >> "$scratch/edges"
[ -s "$scratch/symbols" ] || { echo "no objects below $build" >&2; exit 1; }

printf '%s' "$rooms" | awk -v edges="$scratch/edges" '
    NF > 1 { order[++count] = $1; for (i = 2; i <= NF; i++) { prefix[++prefixes] = $i; height[prefixes] = count } }
    function room(file,   i) { for (i = 1; i <= prefixes; i++) if (index(file, prefix[i]) == 1) return height[i]; return 0 }
    END {
        while ((getline < edges) > 0) {
            from = room($1); to = room($2)
            if ($1 !~ /\.(c|h|cpp)$/ || $2 !~ /^(support|hwdb|model|passes)\//) continue
            if (!from || !to) { print $1, $2, "is in no room"; bad = 1 }
            else if (to > from) { print order[from] " uses " order[to] ": " $1 " -> " $2 " (" $3 ")"; bad = 1 }
        }
        exit bad
    }'
