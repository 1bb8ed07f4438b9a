#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hash_code.sh OBJCOPY FILE...: a hash of the files in the order of their names; of objects, of their code and data without debug
# information. The same wherever the files are.
set -eu
export LC_ALL=C
objcopy=$1
shift
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
for file in $(printf '%s\n' "$@" | sort); do
    case $file in
    *.o) "$objcopy" --strip-debug --remove-section=.comment "$file" "$stripped" ;;
    *) cat "$file" > "$stripped" ;;
    esac
    sha256sum < "$stripped"
done | sha256sum | cut -d ' ' -f 1
