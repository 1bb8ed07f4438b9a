// Each work-item adds up a row of its own: what the resident waves have under way, a line for each lane, is more than an MI250X's L2 holds (8 MB), so that a wave
// finds its lines gone in the next iteration and the input comes from DRAM many times. An A100's L2 (40 MB) keeps them.
// RUN: %gpuperf predict --device mi250x,a100 --kernel rows --global 1048576 --local 256 --arg n=1024 --json %s > %t.json
// RUN: %gpuperf predict --device mi250x,a100 --model trace --kernel rows --global 1048576 --local 256 --arg n=1024 --json %s > %t.trace.json
// RUN: %python -c "import json; r = [{p['device']: p['time_ns'] / (4 * 1024 * 1048576 / b) for p in json.load(open('%t' + f)) for b in [{'mi250x': 1638 * 0.86, 'a100': 1555 * 0.86}[p['device']]]} for f in ('.json', '.trace.json')]; print(r); exit(any(not 3 < x['mi250x'] < 20 or not x['a100'] < 2.5 for x in r))"
kernel void rows(global const float *in, global float *out, int n)
{
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[i * n + k];
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
