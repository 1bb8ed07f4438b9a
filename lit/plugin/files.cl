// The report has the form of `gpuperf predict --json`, the sidecar is a profile.
// RUN: rm -f %t.json %t.gpuperf
// RUN: %cl -fplugin-arg-gpuperf-device=a100,h100 -fplugin-arg-gpuperf-report=%t.json -fplugin-arg-gpuperf-profile=%t.gpuperf -c %s -o %t.bc
// RUN: FileCheck %s --input-file=%t.json
// RUN: %python -c 'import json, sys; rows = json.load(open(sys.argv[1])); best = [r for r in rows if r["rank"] == 1]; assert {r["device"] for r in best} == {"a100", "h100"} and len(best) == 2; assert all(0 <= r["confidence"] <= 1 and r["cycles"] > 0 and len(r["local"]) == 3 for r in rows)' %t.json
// RUN: head -c 4 %t.gpuperf | FileCheck %s --check-prefix=MAGIC
// RUN: not %cl -fplugin-arg-gpuperf-report=%t.none/x.json -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=WHERE
// CHECK: "kernel": "scale"
// CHECK-NEXT: "device": "a100"
// CHECK: "local": [
// CHECK: "rank": 1
// CHECK: "bottlenecks": [
// MAGIC: GPPF
// WHERE: error: gpuperf: {{.*}}x.json: cannot write the report: No such file or directory
kernel void scale(global float *data, int n)
{
    int i = get_global_id(0);
    if (i < n)
        data[i] *= 2.0f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
