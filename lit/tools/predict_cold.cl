// What the launch before has left in the last cache need not come from DRAM; with --cold nothing is left, as after another kernel or a transfer. What no cache holds comes in any case.
// RUN: %gpuperf predict --device a100 --global 1048576 --local 256 --json %s > %t.warm.json
// RUN: %gpuperf predict --device a100 --cold --global 1048576 --local 256 --json %s > %t.cold.json
// RUN: %gpuperf predict --device a100 --global 67108864 --local 256 --json %s > %t.large.json
// RUN: %gpuperf predict --device a100 --cold --global 67108864 --local 256 --json %s > %t.large_cold.json
// RUN: %python -c "import json; t = [json.load(open('%t.' + n + '.json'))[0]['cycles'] for n in ('warm', 'cold', 'large', 'large_cold')]; print(t); exit(not (1.2 * t[0] < t[1] and 0.95 * t[3] < t[2] <= t[3]))"
kernel void copy(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
