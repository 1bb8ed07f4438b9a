#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs clang and keeps the profile that it makes: KEEP names the file, KEEP_CLANG the compiler.
"$KEEP_CLANG" "$@" || exit $?
for argument; do
    case $argument in
    -fplugin-arg-gpuperf-profile=*) cp "${argument#*=}" "$KEEP" ;;
    esac
done
