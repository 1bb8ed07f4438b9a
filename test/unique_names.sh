#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# No two of our static libraries define the same name: a program or layer that links both would call one for the other without a word from the linker.
# usage: test/unique_names.sh LIBRARY...
set -eu
for library in "$@"; do [ -r "$library" ] || { echo "$library: not there" >&2; exit 1; }; done
shared=$(for library in "$@"; do nm -g --defined-only "$library" 2> /dev/null | awk '$2 ~ /^[TDBRC]$/ {print $3}' | sort -u; done | sort | uniq -d)
[ -z "$shared" ] || { echo "defined in several libraries:" $shared >&2; exit 1; }
