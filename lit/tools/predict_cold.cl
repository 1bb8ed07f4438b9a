// What the launch before has left in the last cache need not come from DRAM; unless --warm asks for that nothing is left, as after another kernel or a transfer. What no cache holds comes in any case.
// RUN: %gpuperf predict --device a100 --warm --global 1048576 --local 256 --json %s > %t.warm.json
// RUN: %gpuperf predict --device a100 --cold --global 1048576 --local 256 --json %s > %t.cold.json
// RUN: %gpuperf predict --device a100 --warm --global 67108864 --local 256 --json %s > %t.large.json
// RUN: %gpuperf predict --device a100 --cold --global 67108864 --local 256 --json %s > %t.large_cold.json
// RUN: %python -c "import json; t = [json.load(open('%t.' + n + '.json'))[0]['cycles'] for n in ('warm', 'cold', 'large', 'large_cold')]; print(t); exit(not (1.2 * t[0] < t[1] and 0.95 * t[3] < t[2] <= t[3]))"

// The same launch gives the same numbers, stated or not, cold both times, and says so; the last of two options holds.
// RUN: %gpuperf predict --device a100 --local 256 %s | sed "s/; all of it assumed//" > %t.default
// RUN: %gpuperf predict --device a100 --global 1048576 --local 256 %s > %t.stated
// RUN: %gpuperf predict --device a100 --warm --cold --global 1048576 --local 256 %s > %t.last
// RUN: diff %t.default %t.stated
// RUN: diff %t.default %t.last
// RUN: FileCheck %s < %t.default
// RUN: FileCheck %s --check-prefix=JSON < %t.cold.json
// RUN: %gpuperf predict --device a100 --warm --local 256 %s | FileCheck %s --check-prefix=WARM
// RUN: FileCheck %s --check-prefix=JSON-WARM < %t.warm.json
// CHECK: copy on a100 (NVIDIA A100 40 GB, 1410 MHz), caches cold
// WARM: MHz), caches warm
// JSON: "caches": "cold"
// JSON-WARM: "caches": "warm"

// The plugin likewise.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-report=%t.plugin.json -c %s -o %t.bc
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-assume=copy:global=1048576 -fplugin-arg-gpuperf-report=%t.stated.json -c %s -o %t.bc
// RUN: diff %t.plugin.json %t.stated.json
// RUN: FileCheck %s --check-prefix=JSON < %t.plugin.json
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-assume=copy:caches=warm -fplugin-arg-gpuperf-report=- -c %s -o %t.bc | FileCheck %s --check-prefix=JSON-WARM
// RUN: not %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-assume=copy:caches=hot -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=HOT
// HOT: caches are 'cold' or 'warm', not 'hot'
kernel void copy(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
