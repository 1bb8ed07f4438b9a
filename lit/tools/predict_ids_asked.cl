// Ids that are asked for wherever they are needed cost what they do in variables, also where they are calls: local sizes on AMD's devices.
// RUN: %gpuperf predict --device mi250x,w6600,a100 --local 32x8 --json %s > %t.json
// RUN: %python -c "import json; p = json.load(open('%t.json')); print([(r['device'], r['kernel'], r['cycles']) for r in p]); c = {(r['device'], r['kernel']): r['cycles'] for r in p}; exit(any(abs(c[d, 'asked'] / c[d, 'kept'] - 1) > 0.02 for d in ('mi250x', 'w6600', 'a100')))"
kernel void asked(global const float *in, global float *out, int w, int h)
{
    if (get_global_id(0) > 0 && get_global_id(1) > 0 && get_global_id(0) < w - 1 && get_global_id(1) < h - 1) {
        float s = in[get_global_id(1) * w + get_global_id(0)];
        if (s > 0)
            s += in[get_global_id(1) * w + get_global_id(0) - 1];
        if (s > 1)
            s += in[get_global_id(1) * w + get_global_id(0) + 1];
        if (s > 2)
            s += in[(get_global_id(1) + 1) * w + get_global_id(0)];
        out[get_global_id(1) * w + get_global_id(0)] = s;
    }
}

kernel void kept(global const float *in, global float *out, int w, int h)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        float s = in[y * w + x];
        if (s > 0)
            s += in[y * w + x - 1];
        if (s > 1)
            s += in[y * w + x + 1];
        if (s > 2)
            s += in[(y + 1) * w + x];
        out[y * w + x] = s;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
