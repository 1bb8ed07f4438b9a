#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the OpenCL layer under PoCL: layer_test.sh NAME; test/layer/CMakeLists.txt sets LAYER, LAUNCHES, PLUGIN, SCRATCH.
# Exit status 77: something that the test needs is not installed.
set -u
name=$1
work=$SCRATCH/$name
rm -rf "$work"
mkdir -p "$work"
export POCL_CACHE_DIR=$SCRATCH/pocl
mkdir -p "$POCL_CACHE_DIR"
unset OPENCL_LAYERS GPUPERF GPUPERF_DEVICE GPUPERF_HWDB GPUPERF_CLANG GPUPERF_PLUGIN GPUPERF_WAIT GPUPERF_BUILD_MS GPUPERF_SAMPLE
export GPUPERF_CACHE=$work/cache GPUPERF_LOG=1

fail() { echo "FAILED: $*" >&2; for log in "$work"/*.log; do echo "--- $log" >&2; head -50 "$log" >&2; done; exit 1; }
needs_plugin() { [ -e "$PLUGIN" ] || { echo "skipped: no plugin"; exit 77; }; export GPUPERF_PLUGIN=$PLUGIN; }
plain() { "$LAUNCHES" "$@" || fail "the program itself: $*"; }
# Runs under the layer: standard output is printed, the log goes to $work/run.log
layered() { OPENCL_LAYERS=$LAYER "$LAUNCHES" "$@" 2> "$work/run.log" || fail "under the layer: $*"; }
same() { # same checksum with and without the layer
    local without with
    without=$(plain "$@") && with=$(layered "$@") || exit 1
    [ -n "$without" ] && [ "$without" = "$with" ] || fail "$*: $without without the layer, $with with it"
}
lines() { grep -c "$1" "$work/run.log"; }
expect() { grep -q -- "$1" "$work/run.log" || fail "no line '$1' in the log"; }
expect_not() { ! grep -q -- "$1" "$work/run.log" || fail "a line '$1' in the log"; }
expect_lines() { [ "$(lines "$2")" -eq "$1" ] || fail "$(lines "$2") lines '$2' in the log, not $1"; }
every_decision() { needs_plugin; export GPUPERF_WAIT=120000 GPUPERF_BUILD_MS=0; }

case $name in
same_results)
    every_decision
    for range in 4096 1009 640x360 13x17 64x32x2 7 96x10; do same point $range; expect from=; done
    same point 256x16 offset=5x3
    same weight 512 scalar=100
    same line 65536
    same weight 512 scalar=-1
    same reverse 256
    same required 64 local=8
    same sizes 640x360 local=16x8
    ;;
from_model)
    every_decision
    same point 640x360 repeat=3
    expect_lines 1 '^gpuperf: point global=640x360 local=[0-9x]* from=model gain=[0-9.]* confidence=[0-9.]* (.*)$'
    GPUPERF_LOG=2 same weight 512 repeat=3
    expect_lines 3 'weight global=512 local=[0-9]* from=model'
    ;;
takes_another_size) # a range for which the driver's rule collapses: groups of one row of 120
    every_decision
    same weight 1920x1080 scalar=2
    grep -o 'local=[0-9x]*' "$work/run.log"
    expect 'from=model'
    GPUPERF=override same point 640x360 local=1x1
    expect 'local=[0-9x]* from=model gain='
    expect_not 'local=1x1 '
    ;;
keeps_the_drivers) # where less than a quarter is predicted to be gained
    needs_plugin
    export GPUPERF_WAIT=120000
    same point 720x480 repeat=4
    expect 'local=360x1 from=model'
    expect_not 'predicted best'
    ;;
rent_or_buy) # what is lost for want of a build is remembered, until it is what a build costs
    needs_plugin
    export GPUPERF_LOG=2
    columns() { same columns 1024x1024 scalar=1024 "$@"; }
    GPUPERF_WAIT=120000 layered line 1024 > /dev/null # the program's profile is kept
    GPUPERF_BUILD_MS=3600000 columns repeat=20 pause=100 # the first one is as the driver has it: that is built then
    expect 'columns .* not worth building the kernel for it yet'
    expect_not 'columns .*predicted best'
    export GPUPERF_WAIT=120000
    GPUPERF_BUILD_MS=3600000 columns repeat=3
    expect_lines 3 'columns .*from=cache.* not worth building'
    GPUPERF_BUILD_MS=1 columns repeat=3 # that much was lost long ago
    expect_lines 3 'columns .*from=cache.*predicted best'
    GPUPERF_BUILD_MS=3600000 columns repeat=3 # it is there now
    expect_lines 3 'columns .*from=cache.*predicted best'
    rm -rf "$GPUPERF_CACHE"
    GPUPERF_BUILD_MS=3600000 columns repeat=3 # nothing is built: the driver's own would have to be, too
    expect_lines 3 'columns .*from=model.*predicted best'
    ;;
family) # no scalar comes again: what the model says of others holds until it is asked
    every_decision
    layered weight 512 scalar=200 > /dev/null # the profile is kept
    unset GPUPERF_WAIT
    GPUPERF_LOG=2 same weight 512 scalar=1 step=1 repeat=100 pause=50
    expect 'weight global=512 local=[0-9]* from=driver (no decision yet)'
    expect 'weight global=512 local=[0-9]* from=model'
    GPUPERF_LOG=1 GPUPERF_WAIT=120000 same weight 512 scalar=101 step=1 repeat=5
    expect_lines 1 from=model # the same of all
    ;;
samples) # launches in parts, timed: same results, and a decision that was measured
    every_decision
    export GPUPERF=override GPUPERF_LOG=2
    for queue in profiling=0 profiling=1; do # the driver's clock, and ours
        GPUPERF_SAMPLE=on GPUPERF_CACHE= same rows 1920x4000 scalar=1920 local=4x1 repeat=95 $queue
        expect 'rows sampled: 4x1 takes [0-9]* us of window [1-4]$'
        expect 'rows sampled: 4x1 takes [0-9]*% of the time of [0-9x]* (by its line [0-9]* us, [0-9]*)$'
        expect 'from=sample gain=[0-9.]* confidence=1.00 (measured)'
    done
    [ -z "${BRIEF-}" ] || { echo passed; exit; } # the rest takes minutes under a sanitizer
    same rows 1920x4000 scalar=1920 local=4x1 repeat=4 # unasked, only once there is something to lose it from
    expect_not sampled
    GPUPERF_CACHE= same rows 1920x4000 scalar=1920 local=4x1 repeat=32
    expect 'rows sampled: 4x1 takes [0-9]* us of window [1-4]$'
    export GPUPERF_SAMPLE=on
    same rows 1920x4000 scalar=1920 local=4x1 repeat=95 offset=32x7
    expect from=sample
    same rows 1920x4000 scalar=1920 local=4x1 repeat=2 offset=32x7
    expect from=cache
    expect_not 'rows sampled'
    for not_cut in "weight 1920x2000 scalar=8 local=4x1" "rows 1920x2000 scalar=1920 local=4x1 events=1" \
        "rows 1920x2000 scalar=1920 local=4x1 unordered=1" "rows 1920x40 scalar=1920 local=4x1"; do
        GPUPERF_CACHE= same $not_cut repeat=4
        expect 'predicted best'
        expect_not 'sampled: '
    done
    ;;
uneven) # work that differs over the range: no size stays that is slower than what it replaced
    every_decision
    export GPUPERF_LOG=2 GPUPERF_CACHE=
    size_in() { grep -o "^gpuperf: .* local=[0-9x]* from=$1" "$work/run.log" | tail -1 | sed 's/.*local=//;s/ .*//'; }
    shortest() { plain $case local=$1 repeat=12 time=1; }
    for case in "trailing 2560x2560 scalar=2560" "collatz 131072 scalar=500"; do
        GPUPERF_WAIT=0 layered $case > "$work/sum"
        drivers=$(size_in driver)
        GPUPERF_SAMPLE=on same $case repeat=95 # as many as three trials may take
        cat "$work/run.log" >> "$work/all.log"
        kept=$(size_in sample)
        [ -n "$kept" ] && [ "$kept" != "$drivers" ] || continue # else nothing was settled: that is noise, and no harm
        with=$(shortest "$kept") && without=$(shortest "$drivers") || exit 1
        echo "$case: $kept $with us, $drivers $without us"
        [ "$((with * 10))" -le "$((without * 15))" ] || fail "$case: $kept takes $with us, $drivers $without"
    done
    # that work is uneven, and what is best, is said where it shows above the machine's noise: test_runtime has both
    grep -q ' sampled' "$work/all.log" || fail "no case was sampled"
    ;;
cache)
    every_decision
    same point 640x360
    expect from=model
    same point 640x360
    expect from=cache
    expect_not from=model
    [ "$(stat -c %a "$GPUPERF_CACHE")" = 700 ] || fail "the cache directory is not private"
    [ "$(stat -c %a "$GPUPERF_CACHE/gpuperf.db")" = 600 ] || fail "the cache is not private"
    GPUPERF_CLANG=/nonexistent/clang same point 640x360 # another compiler: other profiles
    expect from=driver
    ;;
upgrade) # another gpuperf predicts anew, from the same profiles; what was measured stays
    every_decision
    mkdir -p "$work/lib" "$work/share" && ln -s "$(dirname "$LAYER")/../share/gpuperf" "$work/share/gpuperf" && cp "$LAYER" "$work/lib/layer.so" || fail "cannot copy the layer"
    LAYER=$work/lib/layer.so
    same point 640x360
    expect from=model
    same point 640x360
    expect from=cache
    sampled() { GPUPERF=override GPUPERF_SAMPLE=on same rows 1920x4000 scalar=1920 local=4x1 "$@"; }
    sampled repeat=95
    expect from=sample
    touch -d 2000-01-01 "$LAYER"
    same point 640x360
    expect from=model
    sampled
    expect 'from=cache gain=.*(measured)'
    ;;
includes) # a changed header makes another program of the same source
    every_decision
    export GPUPERF_LOG=3
    mkdir "$work/include"
    for step in 1 1 2; do
        echo "#define STEP $step" > "$work/include/step.h"
        same point 512 include=step.h "options=-I $work/include -DTHE_REST"
        grep -o 'profile of .* kernels [a-z ]*' "$work/run.log"
    done > "$work/steps"
    [ "$(sed 's/.*kernels //' "$work/steps" | tr '\n' ,)" = "made in ,found in the cache,made in ," ] || fail "$(cat "$work/steps")"
    ;;
headers) # only what the preprocessor includes is opened, and only regular files are
    every_decision
    mkdir "$work/include"
    mkfifo "$work/include/fifo.h"
    printf '#if 0\n#include "/dev/zero"\n#include "fifo.h"\n#endif\n/*\n#include "/dev/stdin"\n*/\n' > "$work/include/step.h"
    for run in model cache; do
        echo input | { (ulimit -v 4000000; same point 512 include=step.h "options=-I $work/include") && cat > "$work/rest"; } || exit 1
        expect "from=$run"
        [ "$(cat "$work/rest")" = input ] || fail "the program's input is gone"
    done
    ;;
broken_cache)
    every_decision
    same point 640x360
    head -c 3000 /dev/urandom > "$GPUPERF_CACHE/gpuperf.db"
    same point 640x360
    expect from=model
    expect "was broken: it is set aside as"
    [ -e "$GPUPERF_CACHE/gpuperf.db.broken" ] || fail "the broken file was not set aside"
    same point 640x360
    expect from=cache
    size=$(stat -c %s "$GPUPERF_CACHE/gpuperf.db")
    for at in 100 2000 5000 9000 13000; do # damaged in the middle, or cut off
        dd if=/dev/urandom of="$GPUPERF_CACHE/gpuperf.db" bs=1 seek=$at count=700 conv=notrunc 2> /dev/null
        same point 640x360
        expect from=
    done
    truncate -s $((size / 2)) "$GPUPERF_CACHE/gpuperf.db"
    same point 640x360
    expect from=
    ;;
no_cache)
    every_decision
    GPUPERF_CACHE=/proc/nowhere same point 640x360
    expect_lines 1 'cannot create the cache directory'
    expect from=model
    GPUPERF_CACHE= same point 640x360
    expect from=model
    [ ! -e "$work/cache" ] || fail "a cache nobody asked for"
    ;;
several_processes)
    every_decision
    want=$(plain point 640x360)
    for i in 1 2 3 4; do
        OPENCL_LAYERS=$LAYER "$LAUNCHES" point 640x360 > "$work/out$i" 2> "$work/process$i.log" &
    done
    wait
    for i in 1 2 3 4; do
        [ "$(cat "$work/out$i")" = "$want" ] || fail "process $i"
        grep -q 'from=\(model\|cache\)' "$work/process$i.log" || fail "process $i decided nothing"
    done
    ;;
no_compiler)
    export GPUPERF_CLANG=/nonexistent/clang GPUPERF_WAIT=120000
    same point 640x360 repeat=3
    expect_lines 1 'from=driver'
    expect_lines 1 '^gpuperf: 3 launches: 3 with the driver.s$'
    expect_lines 2 .
    same point 640x360 threads=3 # each makes a kernel of its own
    expect_lines 1 'from=driver'
    ;;
end) # at the end a line says what was done, also where nothing was decided in time
    every_decision
    GPUPERF=override same weight 1920x1080 local=1x1 repeat=3
    expect_lines 1 '^gpuperf: 3 launches: 3 with gpuperf.s local size$'
    GPUPERF_WAIT= same point 640x360 local=16x8 repeat=2 # nothing is asked for, so nothing is unfinished
    expect_lines 1 '^gpuperf: 2 launches: 2 with the program.s own$'
    printf '#!/bin/sh\nexec sleep 600\n' > "$work/clang"
    chmod +x "$work/clang"
    unset GPUPERF_WAIT
    export GPUPERF_CLANG=$work/clang
    same point 640x360 repeat=3
    expect_lines 1 '^gpuperf: 3 launches: 3 before the analysis was ready; 1 analysis unfinished (once with GPUPERF_WAIT=10000, '
    GPUPERF_CACHE= same point 640x360
    expect_lines 1 '^gpuperf: 1 launch: 1 before the analysis was ready; 1 analysis unfinished$'
    GPUPERF_WAIT=100 same point 640x360
    expect_lines 1 '; 1 analysis unfinished (once with GPUPERF_WAIT=10000, '
    GPUPERF_WAIT=10000 same point 640x360 # has waited
    expect_lines 1 '^gpuperf: 1 launch: 1 before the analysis was ready; 1 analysis unfinished$'
    same point 640x360 fork=1 # the child has no line of its own
    expect_lines 1 'launch.*unfinished'
    GPUPERF_LOG=0 same point 640x360
    expect_lines 0 .
    ;;
bad_source_for_clang) # options that the driver takes and the compile of the profile does not survive
    needs_plugin
    cat > "$work/clang" <<'END'
#!/bin/sh
echo "program.cl:1:1: error: no such thing" >&2
echo run >> "$0.runs"
exit 1
END
    chmod +x "$work/clang"
    export GPUPERF_CLANG=$work/clang GPUPERF_WAIT=120000
    same point 640x360 repeat=3
    expect_lines 1 'from=driver'
    runs=$(wc -l < "$work/clang.runs")
    [ "$runs" -gt 0 ] || fail "the compiler did not run"
    same point 640x360 # another process does not ask that compiler again
    expect_lines 1 'from=driver'
    [ "$(wc -l < "$work/clang.runs")" -eq "$runs" ] || fail "a source that was refused is compiled again"
    echo "# another compiler" >> "$work/clang"
    same point 640x360
    [ "$(wc -l < "$work/clang.runs")" -gt "$runs" ] || fail "another compiler is not asked"
    ;;
unknown_device)
    export GPUPERF_DEVICE=abacus GPUPERF_WAIT=120000
    same point 640x360 repeat=3
    expect_lines 1 'from=driver'
    ;;
other_device) # a device of another kind may be asked for
    every_decision
    GPUPERF_DEVICE=a100 same line 1024
    expect 'from=model'
    ;;
off)
    GPUPERF=off GPUPERF_LOG=3 GPUPERF_WAIT=120000 same point 640x360
    expect_lines 0 .
    GPUPERF=perhaps same point 640x360
    expect_lines 1 'GPUPERF=perhaps is not understood'
    ;;
explicit)
    every_decision
    GPUPERF_LOG=3 same point 640x360 local=16x8
    expect_not 'point.*from='
    [ "$(layered sizes 640x360 local=16x8)" = 16x8x1 ] || fail "an explicit size was changed"
    ;;
override)
    every_decision
    export GPUPERF=override
    same reverse 256 local=16 # depends on its groups
    expect_lines 1 'local=16 from=program (results may depend on the local size'
    [ "$(layered sizes 640x360 local=16x8)" = 16x8x1 ] || fail "the size of a kernel that looks at it was changed"
    same required 64 local=8
    expect_not from=model
    ;;
binary)
    every_decision
    plain point 640x360 > "$work/want"
    for run in build first second; do
        layered point 640x360 "binary=$work/program" > "$work/$run"
        cmp -s "$work/want" "$work/$run" || fail "$run: other results"
        case $run in build) expect from=model ;; *) expect from=cache ;; esac
    done
    GPUPERF_CACHE=$work/other layered point 640x360 "binary=$work/program" > /dev/null
    expect_lines 1 "from=driver (the program loaded a driver's binary that holds no profile.* clear the program's own cache of binaries once"
    ;;
binary_before_profile) # who kept a binary before there was a profile, or without a need for one, has one later
    every_decision
    mkdir "$work/include"
    echo "#define STEP 1" > "$work/include/step.h"
    from_binary() { layered point 640x360 "binary=$work/$1"; }
    build() { layered point 640x360 "binary=$work/$1" include=step.h "options=-I $work/include -DNAME=$1" "${@:2}"; }
    printf '#!/bin/sh\nexec sleep 600\n' > "$work/clang"
    chmod +x "$work/clang"
    build early > "$work/want"
    rm -rf "$GPUPERF_CACHE" "$work/early"
    GPUPERF_WAIT= GPUPERF_CLANG=$work/clang build early > "$work/first"
    expect 'before the analysis was ready; 1 analysis unfinished'
    GPUPERF_WAIT= build explicit local=16x8 > "$work/second"
    GPUPERF_WAIT= GPUPERF_CLANG=$work/clang build late late=1 pause=300 repeat=2 > "$work/third" # noted while a compile is under way, and then the program ends
    for program in early explicit late; do
        from_binary $program > "$work/$program.out"
        cmp -s "$work/want" "$work/$program.out" || fail "$program: other results"
        expect 'from=\(model\|cache\)'
    done
    echo "#define STEP 2" > "$work/include/step.h" # what the binary was built from is not there any more
    from_binary early > /dev/null
    expect_lines 1 'from=driver'
    ;;
tracking)
    every_decision
    for way in link=1 clone=1 all=1; do same point 96x32 $way; expect 'from=\(model\|cache\)'; done
    same point 4096 fork=1
    ;;
threads)
    every_decision
    same weight 2048 threads=8 repeat=20 scalar=20
    unset GPUPERF_WAIT
    rm -rf "$GPUPERF_CACHE"
    same weight 4096 threads=8 repeat=20 scalar=30
    ;;
setuid) # who starts such a program has not its rights: no variable counts, no file is made
    [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null || { echo "skipped: takes root and setpriv"; exit 77; }
    public=$(mktemp -d)
    trap 'rm -rf "$public"' EXIT
    chmod 755 "$public"
    cp "$LAUNCHES" "$public/launches" && cp "$LAYER" "$public/layer.so" || fail "cannot copy the program"
    export GPUPERF_LOG=3 GPUPERF_CACHE=$work/cache GPUPERF_CLANG=/nonexistent/clang
    for mode in 755 4755; do # whether PoCL builds there is its own business
        chmod $mode "$public/launches"
        OPENCL_LAYERS=$public/layer.so setpriv --reuid=12345 --regid=12345 --clear-groups "$public/launches" point 640x360 > /dev/null 2> "$work/run.log"
        if [ $mode = 755 ]; then expect '^gpuperf: .* launch'; else expect_lines 0 '^gpuperf: '; fi
    done
    [ ! -e "$work/cache" ] || fail "a file was made"
    for mode in 755 4755; do # PoCL may not build in the second one: then it has launched nothing
        mkdir -m 777 "$public/$mode"
        export GPUPERF_RECORD=$public/$mode/record.yaml POCL_CACHE_DIR=$public/$mode
        chmod $mode "$public/launches"
        OPENCL_LAYERS=$public/layer.so setpriv --reuid=12345 --regid=12345 --clear-groups "$public/launches" point 640x360 > /dev/null 2> "$work/run.log"
        if [ $mode = 755 ]; then [ -e "$GPUPERF_RECORD" ] || fail "nothing recorded"; else [ ! -e "$GPUPERF_RECORD" ] || fail "a setuid program was recorded"; fi
    done
    ;;
status) # what became of launches, over all processes
    every_decision
    same weight 512 repeat=3
    same weight 512 repeat=2
    same trailing 96 repeat=2
    "$COMMAND" status > "$work/status.log" || fail "no status"
    grep -q '^weight  *5  *[0-9]*  *[0-9.]* [mun]s  *[0-9.]* [mun]s  512  *[0-9]*$' "$work/status.log" || fail "not five launches of weight"
    grep -q '^    on .*; cache: ' "$work/status.log" || fail "the second process did not take the first one's decision"
    "$COMMAND" status --json | grep -q '"launches": 5' || fail "no JSON"
    ! GPUPERF_CACHE=$work/none "$COMMAND" status 2> "$work/none.log" || fail "a cache that is not there"
    grep -q 'none/gpuperf.db is not there yet' "$work/none.log" && [ ! -e "$work/none" ] || fail "no sentence, or a cache was made"
    ;;
record) # what the program launches, as check reads it; with and without the layer's own choices
    needs_plugin
    export GPUPERF_RECORD=$work/rec.yaml
    recorded() { grep -qF -- "$1" "$GPUPERF_RECORD" || { cat "$GPUPERF_RECORD"; fail "no '$1' in the recording"; }; }
    mode_of() { stat -c %a "$1"; }
    for GPUPERF in on off; do
        export GPUPERF
        rm -rf "$work"/rec.*
        same weight 512x4 scalar=-3 repeat=7
        source=$(ls "$GPUPERF_RECORD.d")
        for line in '  "weight":' "      - source: \"rec.yaml.d/$source\"" '        global: 512x4' '        driver_local: ' \
            '        args: {out: 8192, in: 8192, "n": -3}' '        count: 7'; do recorded "$line"; done
        [ "$(mode_of "$GPUPERF_RECORD")" = 600 ] && [ "$(mode_of "$GPUPERF_RECORD.d")" = 700 ] &&
            [ "$(mode_of "$GPUPERF_RECORD.d/$source")" = 600 ] || fail "modes"
        grep -q '__kernel void weight' "$GPUPERF_RECORD.d/$source" || fail "not the source"
        [ "$(find "$work" -name '.rec*')" = "" ] || fail "a temporary file is left"
    done
    same weight 512x4 local=64x1 scalar=5 step=1 repeat=40 # its own size; of many scalars some stand for all
    recorded '        local: 64'
    recorded '        # 8 of these with other scalars'
    [ "$(awk '/count:/ {n += $2} END {print n}' "$GPUPERF_RECORD")" = 40 ] || fail "not 40 launches"
    options="-DUNUSED=\\\"a\\\" -cl-std=CL1.2"
    same point 4096 options="$options" repeat=2
    recorded 'options: ["-DUNUSED=\x22a\x22", "-cl-std=CL1.2"]'
    (cd "$work" && GPUPERF_CACHE= "$COMMAND" check --device a100,v100 --config rec.yaml --format json) > "$work/check.json" || fail "check of the recording"
    grep -q '"assumed": ""' "$work/check.json" && ! grep -q '"assumed": "[^"]' "$work/check.json" || fail "something is assumed"
    (cd / && GPUPERF_CACHE= "$COMMAND" check --device a100,v100 --config "$GPUPERF_RECORD") > "$work/check.txt" || fail "check from elsewhere"
    grep -q '^the program on a100: .* in kernels, 2 launches of 1$' "$work/check.txt" && grep -q '^the program on v100:' "$work/check.txt" || { cat "$work/check.txt"; fail "no sum"; }
    ;;
warm) # the cache is filled ahead: the first launch has its decision, without waiting
    needs_plugin
    export GPUPERF_BUILD_MS=0
    first() { GPUPERF_WAIT=5000 GPUPERF_LOG=2 same "$@"; expect "$1 global=[0-9x]* local=[0-9x]* from=cache"; expect_not 'no decision yet'; }
    warm() { "$COMMAND" warm "$@" > "$work/warm.log" 2>&1 || fail "warm $*"; }
    told() { grep -q -- "$1" "$work/warm.log" || fail "no line '$1'"; }
    record() { GPUPERF_RECORD=$work/rec.yaml GPUPERF=off GPUPERF_CACHE= layered "$@" > /dev/null; }
    record columns 1024x1024 scalar=1024 repeat=3
    warm "$work/rec.yaml"
    told '^    columns  *1024x1024  *decided  *[0-9x]*, predicted [0-9.]*x as fast as the driver.s '
    told '^1 decided, 0 analysed, 0 left alone, 0 failed; kept in '
    first columns 1024x1024 scalar=1024
    expect 'predicted best'
    rm -r "$work"/rec.*
    mkdir "$work/include" "$work/elsewhere"
    echo '#define STEP 2' > "$work/include/step.h" # an include folder beside the program, options in quotes
    cd "$work"
    record point 512 include=step.h options='-I include -DTHE_REST -DUNUSED=\"a\"'
    (cd elsewhere && warm ../rec.yaml) || exit 1
    first point 512 include=step.h options='-I include -DTHE_REST -DUNUSED=\"a\"'
    rm -r "$work"/rec.*
    record required 64 local=8
    warm "$work/rec.yaml"
    told '^    required  *64  *left alone  *the program states its local size'
    # A source: its profile is there, and the decisions of the launches that gpuperf.yaml states.
    printf '__kernel void scale(__global float *a, float k, int n, __local float *t) { int i = get_global_id(0); if (i < n) a[i * 3] *= k; }\n' > scale.cl
    printf '__kernel void groups(__global float *a) { a[get_global_id(0)] = get_local_id(0); }\n' >> scale.cl
    warm scale.cl -- -cl-std=CL1.2
    told '^    scale  *analysed  *decided when it is launched: no launch is stated'
    told '^    groups  *left alone  *results may depend on the local size'
    printf 'kernels:\n  "scale":\n    global: 65536\n    args: {k: 0.5, n: 65536}\n' > gpuperf.yaml
    warm --kernel scale scale.cl
    told '^    scale  *65536  *analysed  *decided when it is launched: argument 3, t is not known'
    printf 'kernels:\n  "scale":\n    global: 65536\n    args: {k: 0.5, n: 65536, t: 64}\n' > gpuperf.yaml
    warm --kernel scale scale.cl
    told '^    scale  *65536  *decided'
    "$COMMAND" status | grep -q '^scale' && fail "a rehearsal counts as a launch"
    # Nothing is launched that is not to be, and what is wrong is one sentence.
    refused() { ! "$COMMAND" warm "$@" > "$work/warm.log" 2>&1 || fail "warm $* did not fail"; }
    refused none.cl && told '^gpuperf: cannot read none.cl: No such file'
    refused gpuperf.yaml && told '^gpuperf: gpuperf.yaml has no launch whose source is known'
    echo '__kernel void broken(' > broken.cl
    refused broken.cl && told '^    broken.cl: the driver does not build it' && told ', 1 failed; kept in'
    GPUPERF_CACHE= refused scale.cl && told '^gpuperf: there is no cache to fill: GPUPERF_CACHE is empty'
    refused && told "^gpuperf: 'warm' takes one"
    ;;
record_foreign) # nothing that is not surely a recording of this user's is replaced, and the program goes on
    export GPUPERF_RECORD=$work/rec.yaml GPUPERF=off
    refused() { same point 4096; expect "GPUPERF_RECORD: .*$1"; expect_lines 1 GPUPERF_RECORD; }
    echo 'devices: [a100]' > "$work/rec.yaml"
    refused 'is no recording of this user'
    [ "$(cat "$work/rec.yaml")" = 'devices: [a100]' ] && [ ! -e "$work/rec.yaml.d" ] || fail "a foreign file was changed"
    echo '# gpuperf: recorded launches. another one' > "$work/other"
    ln -sf other "$work/rec.yaml"
    refused 'is no recording'
    rm "$work/rec.yaml" && ln "$work/other" "$work/rec.yaml"
    refused 'is no recording'
    grep -q another "$work/other" || fail "what a link leads to was changed"
    rm "$work/rec.yaml" && mkfifo "$work/rec.yaml"
    refused 'is no recording'
    rm "$work/rec.yaml" && ln -s "$work" "$work/rec.yaml.d"
    refused 'is not a folder of this user'
    rm "$work/rec.yaml.d"
    GPUPERF_RECORD=$work/none/rec.yaml refused 'cannot record into'
    GPUPERF_RECORD=$work/rec-%p.yaml same point 4096
    [ "$(ls "$work"/rec-[0-9]*.yaml | wc -l)" = 1 ] || fail "no recording with a number"
    # one that is killed leaves what it has launched until then
    OPENCL_LAYERS=$LAYER "$LAUNCHES" point 4096 repeat=2 pause=60000 > /dev/null 2> "$work/run.log" &
    for try in $(seq 100); do [ -s "$work/rec.yaml" ] && break; sleep 0.1; done
    kill -KILL $!
    wait $! 2> /dev/null
    grep -q 'count: 1' "$work/rec.yaml" || fail "nothing was recorded before the end"
    ;;
memory) # allocations of the layer fail, one or all from one on: while it looks into its cache, then while it compiles
    needs_plugin
    export GPUPERF_WAIT=20000 GPUPERF_LOG=2 GPUPERF_BUILD_MS=0
    expected=$(plain point 256x16)
    without_memory() { OPENCL_LAYERS=$LAYER LD_PRELOAD=$FAILING_MEMORY "$LAUNCHES" point 256x16 2>> "$work/run.log" || fail "allocation ${FAIL_AT:-}, all from there: ${FAIL_ALL:-0}"; }
    layered point 256x16 > /dev/null
    for cache in "$GPUPERF_CACHE" ""; do
        export GPUPERF_CACHE=$cache
        : > "$work/run.log"
        FAIL_COUNT=$work/count without_memory > /dev/null
        count=$(cat "$work/count")
        for part in 0 1 5 10 30 50 70 80 90 95 99; do
            [ "$(FAIL_AT=$((count * part / 100)) without_memory)" = "$expected" ] || fail "allocation $part% of $count"
            [ $((part % 10)) -ne 0 ] || [ "$(FAIL_ALL=1 FAIL_AT=$((count * part / 100)) without_memory)" = "$expected" ] || fail "all from allocation $part% of $count"
        done
    done
    expect 'from=driver (out of memory)'
    ;;
killed) # the kernel ends the compile of a program that could not, and another program removes its files
    printf '#!/bin/sh\necho $$ > "%s/pid"\nexec sleep 600\n' "$work" > "$work/clang"
    chmod +x "$work/clang"
    touch "$work/plugin.so"
    export GPUPERF_CLANG=$work/clang GPUPERF_PLUGIN=$work/plugin.so TMPDIR=$work/tmp
    mkdir "$TMPDIR"
    for signal in TERM KILL; do
        rm -f "$work/pid"
        OPENCL_LAYERS=$LAYER "$LAUNCHES" point 640x360 repeat=2 pause=60000 > /dev/null 2> "$work/run.log" &
        for try in $(seq 300); do [ -s "$work/pid" ] && break; sleep 0.1; done
        compile=$(cat "$work/pid")
        [ -d "/proc/$compile" ] || fail "no compile was started"
        kill -$signal $!
        wait $! 2> /dev/null
        for try in $(seq 50); do grep -qs 'State:.[^Z]' "/proc/$compile/status" || break; sleep 0.1; done # nobody may collect it
        ! grep -s 'State:.[^Z]' "/proc/$compile/status" || fail "the compile lives on after SIG$signal"
    done
    [ "$(ls "$TMPDIR" | wc -l)" -eq 1 ] || fail "not what the second one left: $(ls "$TMPDIR")"
    same point 640x360 repeat=2 pause=500
    [ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"
    ;;
exit_in_the_middle) # a compile that is under way when the program ends is ended, too, and was started without the layer
    cat > "$work/clang" <<END
#!/bin/sh
env > "$work/environment"
echo \$\$ > "$work/pid"
exec sleep 600
END
    chmod +x "$work/clang"
    touch "$work/plugin.so"
    export GPUPERF_CLANG=$work/clang GPUPERF_PLUGIN=$work/plugin.so TMPDIR=$work/tmp
    mkdir "$TMPDIR"
    same point 640x360 repeat=5 pause=300
    [ -e "$work/pid" ] || fail "no compile was started"
    ! kill -0 "$(cat "$work/pid")" 2> /dev/null || fail "the compile lives on"
    ! grep -q OPENCL_LAYERS "$work/environment" || fail "the compiler would have loaded the layer"
    [ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"
    ;;
ffmpeg)
    needs_plugin
    command -v ffmpeg > /dev/null || { echo "skipped: no ffmpeg"; exit 77; }
    export GPUPERF_WAIT=120000
    frames() { ffmpeg -v error -nostdin -init_hw_device opencl=ocl -filter_hw_device ocl -f lavfi -i testsrc2=size=640x360:rate=10:duration=2 \
        -vf 'format=yuv420p,hwupload,avgblur_opencl=sizeX=4,unsharp_opencl,hwdownload,format=yuv420p' -f framemd5 -; }
    frames > "$work/without" || { echo "skipped: ffmpeg has no OpenCL"; exit 77; }
    for run in cold warm; do
        OPENCL_LAYERS=$LAYER frames > "$work/with" 2> "$work/run.log" || fail "ffmpeg under the layer"
        cmp "$work/without" "$work/with" || fail "other frames"
        case $run in cold) expect from=model ;; warm) expect from=cache ;; esac
    done
    GPUPERF_BUILD_MS=0 OPENCL_LAYERS=$LAYER frames > "$work/with" 2> "$work/run.log" || fail "ffmpeg under the layer"
    cmp "$work/without" "$work/with" || fail "other frames with the model's sizes"
    ;;
*)
    fail "no test '$name'"
    ;;
esac
echo passed
