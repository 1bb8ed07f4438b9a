// Every verb says in words that a loop of a kernel never ends in its launch; its time is the least that it takes.
// RUN: %gpuperf predict --device a100 --global 65536 --local 256 --arg n=300 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --global 65536 --local 256 --arg n=300 --overview %s | FileCheck %s --check-prefix=OVERVIEW
// RUN: %gpuperf predict --device a100 --global 65536 --local 256 --arg n=300 --kernel wraps --format markdown --overview %s | FileCheck %s --check-prefix=CELL
// RUN: %gpuperf predict --device a100 --global 65536 --local 256 --arg n=300 --kernel wraps --format json %s | FileCheck %s --check-prefix=JSON --implicit-check-not=headroom --implicit-check-not=time_ns_high
// RUN: mkdir -p %t && printf 'kernels:\n  wraps: {global: 65536, args: {n: 300}}\n  spins: {global: 65536}\n' > %t/gpuperf.yaml
// RUN: %gpuperf check --device a100 --config %t/gpuperf.yaml %s | FileCheck %s --check-prefix=CHECKED
// RUN: %gpuperf check --device a100 --config %t/gpuperf.yaml --format markdown %s | FileCheck %s --check-prefix=MARKDOWN
// RUN: %gpuperf check --device a100 --config %t/gpuperf.yaml --format github %s | FileCheck %s --check-prefix=GITHUB
// RUN: %gpuperf compare --device a100 --config %t/gpuperf.yaml %s %s | FileCheck %s --check-prefix=COMPARED

// CELL: | `wraps` | a100 | **256** | at least {{[0-9.]+}} {{[mun]}}s | {{.*}} | endless |
// JSON: "limiter": "endless"
// OVERVIEW: wraps {{.*}}> {{.*}} endless
// OVERVIEW-NEXT: the loop at {{.*}}endless_told.cl:[[#@LINE+20]]:5 never ends
// OVERVIEW: ends {{.*}} launch
// OVERVIEW-NOT: never ends
// CHECKED: wraps {{.*}} never ends
// CHECKED-NEXT: the loop at {{.*}}endless_told.cl:[[#@LINE+16]] never ends in this launch
// MARKDOWN: | `wraps` | {{.*}} | the loop at {{.*}} never ends in this launch
// GITHUB: ::notice {{.*}}title=never ends::wraps on a100: the loop at {{.*}} never ends
// COMPARED: wraps
// COMPARED-NEXT: the loop at {{.*}} never ends

// CHECK-LABEL: wraps on
// CHECK: time       at least {{.*}} with local 256: a loop never ends
// CHECK-NOT: headroom
// CHECK: what would end it comes back to what it was before
// CHECK: occupancy  limiter
// CHECK-NEXT: {{.*}} or more {{.*}} endless{{$}}
kernel void wraps(global const float *in, global float *out, int n, int unknown)
{
    int x = get_global_id(0);
    float sum = 0;
    for (uchar i = 0; i < n; i++)
        sum += in[x + i * unknown];
    out[x] = sum;
}
// CHECK: 1 of 1 assumed arguments were not tried, since a loop never ends with them:
// CHECK-NEXT: unknown={{[0-9]+}}

// CHECK-LABEL: spins on
// CHECK: the loop at {{.*}} never ends: nothing in it leads out of it
// CHECK: occupancy  limiter
kernel void spins(global int *flag, global int *out)
{
    int x = get_global_id(0);
    while (1)
        out[x] += flag[x];
}

// CHECK-LABEL: ends on
// CHECK-NOT: never ends
kernel void ends(global const float *in, global float *out)
{
    int x = get_global_id(0);
    out[x] = in[x];
}
