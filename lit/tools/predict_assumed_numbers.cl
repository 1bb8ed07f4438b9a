// An argument that nobody stated and that decides the time is named with its effect, lowers the confidence and widens the range; stated, it does not.
// RUN: %gpuperf predict --device a100 --global 4096 --local 64 %s 2>&1 | FileCheck %s
// RUN: %gpuperf predict --device a100 --global 4096 --local 64 --arg n=1024 --arg bias=3 %s 2>&1 | FileCheck %s --check-prefix=STATED --implicit-check-not=Assumed
// RUN: %gpuperf predict --device a100 --global 4096 --local 64 --json %s > %t.json
// RUN: %gpuperf predict --device a100 --global 4096 --local 64 --arg n=1024 --arg bias=3 --json %s > %t.stated.json
// RUN: %python -c "import json; a, s = (json.load(open('%t' + e))[0] for e in ('.json', '.stated.json')); n, = a['assumed_arguments']; print(a, s); exit(not (n['name'] == 'n' and n['value'] == 1024 and n['halved'] < 0.7 and n['doubled'] > 1.5 and a['known_share'] == s['known_share'] and a['confidence'] < 0.8 * s['confidence'] and a['time_ns_low'] < s['time_ns_low'] < s['time_ns'] < s['time_ns_high'] < a['time_ns_high'] and s['assumed_arguments'] == [] and s['evidence']['rows'] >= 30))"
// CHECK: Assumed arguments that decide the time (state them with --arg):
// CHECK-NEXT: n=1024: half of it 0.{{[3-6][0-9]}}x, twice {{1\.[5-9]|2\.[0-9]}}{{[0-9]*}}x the time
// CHECK-NOT: bias=
// STATED: us with local 64, {{[0-9.]+}} to {{[0-9.]+}}
// STATED: known 100%

kernel void rows(global const float *w, global float *out, int n, int bias)
{
    float s = bias;
    for (int j = 0; j < n; j++)
        s += w[j * get_global_size(0) + get_global_id(0)];
    out[get_global_id(0)] = s;
}
