// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An early return on data that is taken not to happen is a guess of which way, not of all that is behind it: a quarter of what it would change.
// What goes round until data ends it is a guess of all of that, and so are atomics of which nobody knows how many lanes make one.
// RUN: %gpuperf predict --device a100 --local 256 --json %s > %t.json
// RUN: %python -c "import json; r = {p['kernel']: p for p in json.load(open('%t.json'))}; print({k: (p['known_share'], p['confidence']) for k, p in r.items()}); exit(not (all(0.7 < r[k]['known_share'] < 0.95 and r[k]['confidence'] > 0.6 for k in ('valid', 'error', 'mask')) and r['turns']['confidence'] < r['valid']['confidence'] and r['counts']['known_share'] < 0.6))"

kernel void valid(global const int *ok, global const float *in, global float *out)
{
    int i = get_global_id(0);
    if (ok[i] == 0)
        return;
    float s = in[i];
    for (int j = 0; j < 256; j++)
        s = s * 0.999f + 0.5f;
    out[i] = s;
}

kernel void error(global const int *state, global const float *a, global const float *b, global float *c)
{
    int i = get_global_id(0);
    if (state[0] != 0)
        return;
    c[i] = a[i] + b[i];
}

kernel void mask(global const uchar *inside, global const float *in, global float *out)
{
    int i = get_global_id(0);
    if (!inside[i]) {
        out[i] = 0;
        return;
    }
    float s = 0;
    for (int d = -4; d <= 4; d++)
        s += native_exp(in[max(i + d, 0)]) * native_sin(s);
    out[i] = s;
}

kernel void turns(global const int *most, global float *out)
{
    int i = get_global_id(0);
    float s = i;
    for (int j = 0; j < most[i]; j++)
        s = s * 0.999f + 0.5f;
    out[i] = s;
}

kernel void counts(global const float *in, global int *count)
{
    if (in[get_global_id(0)] > 0.5f)
        atomic_inc(count);
}
