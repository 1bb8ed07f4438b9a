#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A compiler that makes files where it is told to and never ends. The file `compiler` beside the source gets its number once it hangs.
mkdir -p "$TMPDIR/deep/deeper" && echo half > "$TMPDIR/deep/deeper/half.ll" || exit 1
echo $$ > "$HANGS.part" && mv "$HANGS.part" "$HANGS"
exec sleep 1000
