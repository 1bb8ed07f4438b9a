// The database's own devices need no YAML library. A device file of one's own does, and a report JSON: these are read and written by a module beside the plugin, which says so where it is not there.
// RUN: rm -rf %t && mkdir -p %t/lib/gpuperf %t/share/gpuperf %t/hwdb && cp -r %hwdb %t/share/gpuperf/hwdb && cp %plugin %t/lib/gpuperf/gpuperf.so && sed 's/^name: a100$/name: mine/' %hwdb/a100.yaml > %t/hwdb/mine.yaml
// RUN: %plain_cl -fplugin=%t/lib/gpuperf/gpuperf.so -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: env GPUPERF_HWDB=%t/hwdb %cl -fplugin-arg-gpuperf-device=mine -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=MINE
// RUN: not env GPUPERF_HWDB=%t/hwdb %plain_cl -fplugin=%t/lib/gpuperf/gpuperf.so -fplugin-arg-gpuperf-device=mine -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=LONE
// RUN: not %plain_cl -fplugin=%t/lib/gpuperf/gpuperf.so -fplugin-arg-gpuperf-report=%t/report.json -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=LONE
// RUN: test ! -e %t/report.json
// CHECK: warning: uncoalesced global store: {{.*}} on a100
// MINE: warning: uncoalesced global store: {{.*}} on mine
// LONE: error: gpuperf: device files of one's own, configurations and reports take gpuperf-files.so, which belongs beside the plugin: {{.*}}gpuperf-files.so
kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
