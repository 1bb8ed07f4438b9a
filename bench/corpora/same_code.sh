#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# That the plugin changes no code: every kernel file of Debian's darktable, compiled without the plugin and with it
# (annotate=off), must come out byte for byte the same: bitcode for spir64, which has no code generator, PTX for nvptx64,
# object files for amdgcn and the host. A file that clang cannot compile for a target without the plugin either is left out.
#
# usage: bench/corpora/same_code.sh [-b BUILD] [-t TARGETS] [-j JOBS]     ("spir64 nvptx64 amdgcn host")
set -eu
kernels=/usr/share/darktable/kernels
clang=${CLANG:-clang-22}

flags_of()
{
    case $1 in
    spir64) echo "-target spir64 -emit-llvm -c" ;;
    nvptx64) echo "-target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib -S" ;;
    amdgcn) echo "-target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -c" ;;
    host) echo "-march=x86-64-v3 -c" ;;
    *) echo "same_code: there is no target $1" >&2; exit 2 ;;
    esac
}

if [ "${1:-}" = --one ]; then # BUILD TARGET WORK FILE, from xargs below
    out=$4/$(basename "$5" .cl).$3
    set -- "$2" "$out" $(flags_of "$3") -x cl -cl-std=CL1.2 -O2 -w -I"$kernels" "$5"
    build=$1 out=$2
    shift 2
    if ! "$clang" "$@" -o "$out.1" 2>/dev/null; then
        touch "$out.left"
    elif ! "$clang" "$@" -o "$out.2" "-fplugin=$build/plugin/gpuperf.so" -fplugin-arg-gpuperf-annotate=off 2>"$out.log" || ! cmp -s "$out.1" "$out.2"; then
        { echo "not the same: $clang $* -fplugin=$build/plugin/gpuperf.so -fplugin-arg-gpuperf-annotate=off"; cat "$out.log"; } >"$out.differs"
    fi
    rm -f "$out.1" "$out.2" "$out.log"
    exit 0
fi

build=build targets="spir64 nvptx64 amdgcn host" jobs=1
while getopts b:t:j: option; do
    case $option in
    b) build=$OPTARG ;;
    t) targets=$OPTARG ;;
    j) jobs=$OPTARG ;;
    *) grep '^# usage' "$0" >&2; exit 2 ;;
    esac
done
build=$(cd "$build" && pwd)
[ -d "$kernels" ] || { echo "same_code: $kernels is missing: install Debian's darktable package" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
for target in $targets; do
    flags_of "$target" >/dev/null
    ls "$kernels"/*.cl | xargs -P "$jobs" -n 1 "$0" --one "$build" "$target" "$work"
    cat "$work"/*."$target.differs" 2>/dev/null || true
    files=$(ls "$kernels"/*.cl | wc -l)
    left=$(find "$work" -name "*.$target.left" | wc -l) differ=$(find "$work" -name "*.$target.differs" | wc -l)
    echo "$target: $((files - left - differ)) of $files files the same, $differ not, clang alone cannot compile $left"
    [ "$differ" -eq 0 ] && [ "$left" -lt "$files" ] || bad=1
done
exit $bad
