/* In clang's SARIF each cause is a rule of its own, the same one each time.
 * RUN: rm -rf %t && mkdir %t && %cl -c %s -o %t/out.bc -Wno-sarif-format-unstable -fdiagnostics-format=sarif 2> %t/one.txt
 * RUN: %cl -c %s -o %t/out.bc -Wno-sarif-format-unstable -fdiagnostics-format=sarif 2> %t/two.txt && cmp %t/one.txt %t/two.txt
 * RUN: %python -c "import json, sys; r = [(x['message']['text'].rsplit('[', 1)[-1], x['ruleId']) for x in json.loads(next(line for line in sys.stdin if line.startswith('{')))['runs'][0]['results'] if x['message']['text'].endswith(']')]; print(sorted({name for name, _ in r}), len(set(r)) == len({rule for _, rule in r}) == len({name for name, _ in r}))" < %t/one.txt | FileCheck %s
 * CHECK: ['gpuperf-bank-conflict]', 'gpuperf-uncoalesced]'] True
 */
__kernel void naive(__global const float *in, __global float *out, int width, int height)
{
    int column = get_global_id(0), row = get_global_id(1);
    out[column * height + row] = in[row * width + column];
}

__kernel void again(__global const float *in, __global float *out, int width, int height)
{
    int column = get_global_id(0), row = get_global_id(1);
    out[column * height + row] = 2 * in[row * width + column];
}

__kernel void tiled(__global const float *in, __global float *out)
{
    __local float tile[32][32];
    int x = get_local_id(0), y = get_local_id(1);
    for (int i = 0; i < 32; i += 8)
        tile[y + i][x] = in[(get_group_id(1) * 32 + y + i) * 1024 + get_group_id(0) * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; i += 8)
        out[(get_group_id(0) * 32 + y + i) * 1024 + get_group_id(1) * 32 + x] = tile[x][y + i];
}
