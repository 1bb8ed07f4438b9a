#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# alike.sh BUILD MEASURED: rows of measured files are predicted alike whether NVIDIA's assembler is asked of each, or once of those whose code differs in numbers only (compile/alike.h); and it is asked
# of fewer then. 77: there are no such files, or no ptxas.
set -eu
build=$1
measured=$2
ptxas=$(command -v ptxas || echo "${CUDA_PATH:-/usr/local/cuda}/bin/ptxas")
[ -x "$ptxas" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/ptxas" << END
#!/bin/sh
for file; do case \$file in *.s | *.ptx) grep -c '^\.visible \.entry' "\$file" >> "$work/asked" ;; esac; done
exec "$ptxas" "\$@"
END
chmod +x "$work/ptxas"
predict() { # ROWS FILE SLICES [OPTION]
    : > "$work/asked"
    GPUPERF_PTXAS="$work/ptxas" "$build/bench/accuracy" --measured "$measured" --cache "$work/$1.cache" --rows "$work/$1" --nvcc never --slices "$3" $4 "$2" > "$work/$1.txt"
    awk '{ sum += $1 } END { print sum + 0 }' "$work/asked" > "$work/$1.asked"
}
compare() { # FILE SLICES
    [ -r "$measured/$1.csv" ] || exit 77
    predict once "$1" "$2" ""
    predict each "$1" "$2" --each-row
    cmp "$work/once/$1.csv" "$work/each/$1.csv"
    [ "$(cat "$work/once.asked")" -gt 0 ] && [ $((2 * $(cat "$work/once.asked"))) -lt "$(cat "$work/each.asked")" ] || {
        echo "$1: asked of $(cat "$work/once.asked") kernels instead of $(cat "$work/each.asked")"
        exit 1
    }
}
compare convolution__a100 33
compare dedispersion__a100 37
