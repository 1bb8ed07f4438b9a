// L2 fetches two sectors at once from DRAM: whoever asks for every second one only moves twice what he asks for. Where sectors are side by side, or a device fetches them one by one, nothing is moved in vain.
// RUN: %gpuperf predict --device h200 --global 8388608 --local 256 --json --kernel every_8th %s > %t.8.json
// RUN: %gpuperf predict --device h200 --global 8388608 --local 256 --json --kernel every_16th %s > %t.16.json
// RUN: %gpuperf predict --device v100 --global 8388608 --local 256 --json --kernel every_8th %s > %t.v8.json
// RUN: %gpuperf predict --device v100 --global 8388608 --local 256 --json --kernel every_16th %s > %t.v16.json
// RUN: %python -c "import json; t = lambda n: json.load(open('%t.' + n + '.json'))[0]['time_ns']; a, b = t('16') / t('8'), t('v16') / t('v8'); print(a, b); exit(not (1.6 < a < 2.1 and 0.95 < b < 1.05))"
kernel void every_8th(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0) * (size_t)8]; }
kernel void every_16th(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0) * (size_t)16]; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
