// Nine loads of a column of work-items go through the same lines, one after the other without waiting: an MI250X's L1 (16 KB) has each line once for all of them, though it
// does not hold what all resident waves ask for.
// RUN: %gpuperf predict --device mi250x --global 1024x1024 --local 1x64 --json %s > %t.json
// RUN: %python -c "import json; t = {p['kernel']: p['time_ns'] for p in json.load(open('%t.json'))}; print(t); exit(not t['nine'] < 2.5 * t['one'])"
#define AT(X) in[(get_global_id(1) * 1024 + get_global_id(0)) * 4 + (X)]

kernel void one(global const uchar *in, global int *out)
{
    out[get_global_id(1) * 1024 + get_global_id(0)] = AT(3);
}

kernel void nine(global const uchar *in, global int *out)
{
    out[get_global_id(1) * 1024 + get_global_id(0)] = AT(0) * AT(2) + AT(4) * AT(6) + AT(8) * AT(10) + AT(12) * AT(14) + AT(16);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
