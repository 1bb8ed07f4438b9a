#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# examples.sh BUILD SOURCE: the example projects do what they say, with gpuperf as it is installed.
set -eu
build=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset GPUPERF_PLUGIN GPUPERF_DEVICE
export GPUPERF_CACHE=
fail() { echo "FAILED: $1" >&2; cat "$scratch/log" >&2; exit 1; }
cmake --install "$build" --prefix "$scratch/prefix" --strip > /dev/null
cp -r "$source/examples" "$scratch/examples"

cd "$scratch/examples/cmake"
cmake -S . -B build -DCMAKE_PREFIX_PATH="$scratch/prefix" > "$scratch/log" 2>&1 || fail "examples/cmake is not configured"
cmake --build build > "$scratch/log" 2>&1 || fail "examples/cmake is not built"
grep -q 'blur_.* a100 ' "$scratch/log" || fail "its kernels are not checked"
sed -i 's/a100: [0-9]* us/a100: 1 ns/' gpuperf.yaml
! cmake --build build > "$scratch/log" 2>&1 || fail "a kernel over its budget is built"
grep -q 'over its budget' "$scratch/log" || fail "the build does not say why"

# What the hook runs for a file that is to be committed, and what the workflow runs.
entry=$(sed -n 's/^ *entry: gpuperf //p' ../ci/pre-commit-config.yaml)
cd "$scratch/examples"
"$scratch/prefix/bin/gpuperf" $entry cmake/kernels/blur.cl > "$scratch/log" 2>&1 || fail "the hook refuses a good kernel: gpuperf $entry"
! "$scratch/prefix/bin/gpuperf" $entry transpose.cl > "$scratch/log" 2>&1 || fail "the hook takes a kernel with findings: gpuperf $entry"
mkdir "$scratch/project" && cd "$scratch/project" && cp -r "$scratch/examples/cmake/kernels" src
"$scratch/prefix/bin/gpuperf" check --write-baseline gpuperf-baseline.json src/ > "$scratch/log" 2>&1 || fail "no baseline"
sed -n 's/^ *run: \/opt\/gpuperf\/bin\/\(gpuperf .*\)/\1/p' "$scratch/examples/ci/gpuperf.yml" > "$scratch/commands"
[ "$(wc -l < "$scratch/commands")" = 2 ] || fail "not the workflow's two commands"
while read -r command; do
    (PATH=$scratch/prefix/bin:$PATH && $command) > "$scratch/log" 2>&1 || fail "the workflow's command: $command"
done < "$scratch/commands"
[ -s gpuperf.sarif ] || fail "no results for code scanning"
