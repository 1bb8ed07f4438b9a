#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the analysis finds out about kernels that nobody wrote for it: compiles every kernel file of Debian's darktable,
# pocl-tests and hashcat-data packages that clang itself can compile, and the CUDA kernels of cuda/, with the plugin for each
# target, and prints a table (coverage.c says what its columns are). A crash, a sanitizer's report, a file that only compiles
# without the plugin, or a kernel that the executor refuses is an error. Exit status 77: a corpus is not installed.
#
# With -m, instead: how much longer each compile takes with the plugin than without it, to LLVM IR or, with -s, to the device's
# assembly (spirv64: by LLVM's own backend).
#
# usage: bench/corpora/corpora.sh [-b BUILD] [-c CORPORA] [-t TARGETS] [-e N] [-j JOBS] [-r LOOPS,ADDRESSES,CALLS] [-k DIR] [-l SECONDS] [-m RUNS] [-s] [-v]
#   -b BUILD     build directory (build); one with sanitizers holds the clang that can load its plugin
#   -c CORPORA   "darktable pocl hashcat cuda"; own: the kernels of bench/
#   -t TARGETS   "spir64 nvptx64 amdgcn", with -s also spirv64
#   -e N         every Nth file of each corpus (1)
#   -j JOBS      compiles at a time (1)
#   -r L,A,C     what each row must reach: percent of loops bounded, percent of addresses executable, most unknown calls
#   -k DIR       keeps the results in DIR/CORPUS-TARGET/NUMBER.*; files that have one there already are not compiled again
#   -l SECONDS   a compile that takes longer is broken off and counted as such
#   -m RUNS      the ratio of processor time with the plugin to that without it, the median of RUNS pairs of compiles: the median
#                over the files and the worst five; a ratio above 2 is an error
#   -s           the compiles of -m generate code
#   -v           prints the command of each compile
set -eu
build=build corpora="darktable pocl hashcat cuda" targets="spir64 nvptx64 amdgcn" every=1 jobs=1 require= keep= limit= verbose= measure= output="-emit-llvm -c"
here=$(cd "$(dirname "$0")" && pwd)

# Flags of a target, as `gpuperf predict` gives them.
target_flags()
{
    case $1 in
    spir64 | spirv64) echo "-target $1" ;;
    nvptx64) echo "-target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -nogpulib" ;;
    amdgcn) echo "-target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib" ;;
    *) echo "corpora: there is no target $1" >&2; exit 2 ;;
    esac
}

# Flags of a corpus, as far as they depend on it. hashcat's are those that its backend gives: a vendor per target (AMD's functions
# are static, so that the unused ones of its headers cost nothing; NVIDIA's and AMD's are in assembly where they can), and
# numbers of hash modes.
corpus_flags()
{
    case $1 in
    darktable) echo "-x cl -cl-std=CL1.2 -I/usr/share/darktable/kernels" ;;
    pocl)
        case $(cat "$3") in
        *include*common*) common= ;;
        *DEFINE_BODY_*) common="-include /usr/share/pocl-tests/tests/kernel/common.cl" ;;
        *) common= ;;
        esac
        echo "-x cl -cl-std=CL2.0 -I$(dirname "$3") -D_CL_NOINLINE=__attribute__((noinline)) -D__IF_INT64(x)=x" \
            "-D_CL_OVERLOADABLE=__attribute__((overloadable)) -D__IF_FP64(x)=x -D__IF_FP16(x)= $common $(einstein)" ;;
    hashcat)
        case $2 in
        spir64 | spirv64) vendor="-DVENDOR_ID=1" ;;
        nvptx64) vendor="-DVENDOR_ID=32 -DCUDA_ARCH=800 -DHAS_ADD=1 -fgnu-keywords" ;;
        amdgcn) vendor="-DVENDOR_ID=1 -DHAS_VPERM=1 -DHAS_VADD3=1 -fgnu-keywords" ;;
        esac
        echo "-x cl -cl-std=CL2.0 -I/usr/share/hashcat/OpenCL -DKERNEL_STATIC -DINCLUDE_PATH=/usr/share/hashcat/OpenCL" \
            "-DXM2S(x)=#x -DM2S(x)=XM2S(x) $vendor -DVECT_SIZE=1 -DDEVICE_TYPE=4 -DLOCAL_MEM_TYPE=1 -DKERN_TYPE=0" \
            "-DDGST_R0=0 -DDGST_R1=3 -DDGST_R2=2 -DDGST_R3=1 -DDGST_ELEM=4 -DATTACK_EXEC=11 -DATTACK_KERN=0 -D_unroll" \
            "-DFIXED_LOCAL_SIZE=64 -DSCRYPT_N=1024 -DSCRYPT_R=1 -DSCRYPT_P=1 -DSCRYPT_TMTO=1 -DSCRYPT_CNT=32" \
            "-DSCRYPT_SALT_LEN=16 -DSCRYPT_TMP_ELEM=32 -DSCRYPT_SALT_ELEM=8" ;;
    own)
        case $3 in
        */convolution.cl) size=4096 ;;
        *) size=2048 ;;
        esac
        echo "-x cl -cl-std=CL2.0 -DBLOCK_X=32 -DBLOCK_Y=8 -DTILE_X=2 -DTILE_Y=2 -DSIZE=$size -DFILTER=17 -DPADDING=0 -DVERTICES=600" \
            "-DPOINTS=20000000 -DSAMPLES=25000 -DMEASURES=2048 -DSTRIDE=1 -DPAD=1" ;;
    esac
}

# Sizes that EinsteinToolkit.c gives its two kernels.
einstein()
{
    for d in I J K; do
        echo "-DVECTOR_SIZE_$d=1 -DUNROLL_SIZE_$d=1 -DGROUP_SIZE_$d=1 -DTILE_SIZE_$d=1"
    done
}

# CUDA goes through the plugin for nvptx64, with the toolkit's headers where there is a toolkit. Its kernels as HIP, which the
# plugin passes over, give the other targets: there the profile is made from clang's bitcode.
cuda_flags()
{
    case $1 in
    nvptx64)
        if [ -f /usr/local/cuda/include/cuda.h ]; then
            echo "-x cuda --cuda-path=/usr/local/cuda -I/usr/local/cuda/include/cccl"
        else
            echo "-x cuda -nocudainc -nocudalib"
        fi
        echo "--cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -Wno-unknown-cuda-version" ;;
    amdgcn) echo "-x hip --offload-arch=gfx90a -nogpuinc -nogpulib" ;;
    spir64) echo "-x hip --offload=spirv64 -nogpuinc -nogpulib" ;;
    esac
    echo "--cuda-device-only"
}

files_of()
{
    case $1 in
    darktable) list=$(ls /usr/share/darktable/kernels/*.cl 2>/dev/null) package=darktable ;;
    pocl) list=$(find /usr/share/pocl-tests -name '*.cl' 2>/dev/null | sort) package=pocl-tests ;;
    hashcat) list=$(ls /usr/share/hashcat/OpenCL/*.cl 2>/dev/null | grep -v '/inc_') package=hashcat-data ;;
    cuda) list=$(ls "$here"/cuda/*.cu) package= ;;
    own) list=$(ls "$here"/../gpu/kernels/*.cl "$here"/../accuracy/kernels/*.cl "$here"/../papers/*/*.cl) package= ;;
    *) echo "corpora: there is no corpus $1" >&2; exit 2 ;;
    esac
    [ -n "$list" ] || { echo "corpora: nothing of $1 is here: install Debian's $package, or leave it out with -c" >&2; exit 77; }
    echo "$list" | awk "NR % $every == 0 { print NR, \$0 }"
}

# The compiler that can load the plugin.
compiler()
{
    if [ -x "$build/clang" ]; then echo "$build/clang"; else echo "${CLANG:-clang-22}"; fi
}

# Runs a command for at most `limit` seconds, where there is such a limit: then its status is 124.
within_limit()
{
    if [ -n "$limit" ]; then timeout "$limit" "$@"; else "$@"; fi
}

# One file with -m: OUT.ratio, or OUT.skip. The plugin passes over what is not CUDA for NVIDIA.
measure_one()
{
    out=$1
    shift
    if { [ "$corpus" = cuda ] && [ "$target" != nvptx64 ]; } || ! "$clang" "$@" -o /dev/null >/dev/null 2>&1; then
        touch "$out.skip"
        return
    fi
    ratio=$("$build/bench/ratio" -c -n "$measure" "$clang" "$@" -o /dev/null -- "$clang" "$@" -o /dev/null "-fplugin=$build/plugin/gpuperf.so" 2>&1) ||
        { echo "$clang $*: $ratio" >"$out.fail"; return; }
    echo "$ratio $(basename "$file")" >"$out.ratio"
}

# One file: OUT.gpuperf, or OUT.skip where clang alone refuses it, too, or OUT.slow where the limit was reached, or OUT.fail.
compile_one()
{
    corpus=$1 target=$2 file=$3 out=$4 clang=$(compiler)
    [ -z "$(find "$out".* 2>/dev/null)" ] || return 0
    if [ "$corpus" = cuda ]; then flags=$(cuda_flags "$target"); else flags="$(corpus_flags "$corpus" "$target" "$file") $(target_flags "$target")"; fi
    set -f
    set -- $flags -O2 -w $output "$file"
    set +f
    if [ -n "$measure" ]; then
        measure_one "$out" "$@"
        return
    fi
    if [ "$corpus-$target" = cuda-nvptx64 ] || [ "$corpus" != cuda ]; then
        run="$clang $* -o /dev/null -fplugin=$build/plugin/gpuperf.so -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-warn=all -fplugin-arg-gpuperf-profile=$out.gpuperf"
        within_limit "$clang" "$@" -o /dev/null "-fplugin=$build/plugin/gpuperf.so" -fplugin-arg-gpuperf-device=a100 \
            -fplugin-arg-gpuperf-warn=all "-fplugin-arg-gpuperf-profile=$out.part" >"$out.log" 2>&1 && status=0 || status=$?
    else
        run="$clang $* -o $out.bc && $build/passes/gpuperf-profile-ir -write=$out.part $out.bc"
        { "$clang" "$@" -o "$out.bc" && "$build/passes/gpuperf-profile-ir" "-write=$out.part" "$out.bc"; } >"$out.log" 2>&1 && status=0 || status=$?
        rm -f "$out.bc"
    fi
    [ -z "$verbose" ] || echo "$run"
    if grep -qE 'Sanitizer|runtime error|PLEASE submit' "$out.log"; then
        status=1
    elif [ $status -eq 0 ]; then
        rm -f "$out.log"
        mv "$out.part" "$out.gpuperf" 2>/dev/null || touch "$out.empty" # a file of functions, without a kernel
        return
    elif [ $status -eq 124 ]; then
        mv "$out.log" "$out.slow"
        rm -f "$out.part"
        return
    elif ! "$clang" "$@" -o /dev/null >/dev/null 2>&1; then
        touch "$out.skip"
        rm -f "$out.log" "$out.part"
        return
    fi
    { echo "$run"; head -40 "$out.log"; } >"$out.fail"
    rm -f "$out.log" "$out.part"
}

if [ "${1:-}" = --one ]; then # from xargs below
    build=$2 verbose=$3 measure=$4 output=$5 limit=$6 corpus=$7 target=$8 work=$9
    shift 9
    number=${1%% *} file=${1#* }
    compile_one "$corpus" "$target" "$file" "$work/$number"
    exit 0
fi

# The ratios of a corpus and target: how many files, their median, the worst five with their seconds without and with the plugin.
report_ratios()
{
    find "$1" -name '*.ratio' -exec cat {} + | sort -n | awk -v what="$2" '
        { ratio[NR] = $1; line[NR] = sprintf("    %.3f  %.3f s -> %.3f s  %s", $1, $2, $3, $4) }
        END {
            if (NR == 0) exit
            printf "%s: %d files, median ratio %.3f, worst %.3f\n", what, NR, ratio[int((NR + 1) / 2)], ratio[NR]
            for (i = NR; i > NR - 5 && i > 0; i--) print line[i]
            exit ratio[NR] > 2
        }'
}

# How many files of the corpus and target at hand have a result of a kind.
count() { find "$place" -name "*.$1" | wc -l; }

while getopts b:c:t:e:j:r:k:l:m:sv option; do
    case $option in
    b) build=$OPTARG ;;
    c) corpora=$OPTARG ;;
    t) targets=$OPTARG ;;
    e) every=$OPTARG ;;
    j) jobs=$OPTARG ;;
    r) require=$OPTARG ;;
    k) keep=$(cd "$OPTARG" && pwd) ;;
    l) limit=$OPTARG ;;
    m) measure=$OPTARG ;;
    s) output=-S ;;
    v) verbose=yes ;;
    *) sed -n '/^# usage/,/^set/p' "$0" | grep '^#' >&2; exit 2 ;;
    esac
done
build=$(cd "$build" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$measure" ] || "$build/bench/coverage" -h
failed=0
for corpus in $corpora; do
    files_of "$corpus" >"$work/files"
    for target in $targets; do
        place=${keep:-$work}/$corpus-$target${measure:+-times}
        mkdir -p "$place"
        tr '\n' '\0' <"$work/files" |
            xargs -0 -r -P "$jobs" -n 1 "$0" --one "$build" "$verbose" "$measure" "$output" "$limit" "$corpus" "$target" "$place"
        find "$place" -name '*.fail' -exec cat {} + | sed 's/^/    /'
        if [ -n "$measure" ]; then
            report_ratios "$place" "$corpus $target" || failed=1
        else
            find "$place" -name '*.gpuperf' | sort >"$work/profiles"
            xargs -x -s 262144 "$build/bench/coverage" -n "$corpus $target" ${require:+-r "$require"} <"$work/profiles" || failed=1
            echo "    $(count gpuperf) files with kernels, $(count empty) without; clang refuses $(count skip), the plugin fails on $(count fail)${limit:+, $(count slow) take more than $limit s}"
        fi
        [ "$(count fail)" -eq 0 ] || failed=1
        [ -n "$keep" ] || rm -rf "$place"
    done
done
exit $failed
