// What L2 keeps of rows that each work-item reads time and again.
// From one reading to the next few groups end and others begin: 3.6 MB that are resident fit MI250X's 8 MB.
// RUN: %gpuperf predict --device mi250x --local 256 --arg n=1048576 --arg k=100 --arg d=4 --arg step=1048576 --arg row=1 --terms %s | FileCheck %s --check-prefix=KEPT
// 16 MB of points, and as many labels as points.
// KEPT: dram_bytes {{[2-5][0-9][0-9][0-9][0-9][0-9][0-9][0-9]}} bytes
// Unrolled iterations that go on in a sector find it on its way where no L1 has it: a row of 64 bytes comes at most once
// for each of 100 centres, 6.7 GB, not once for each load.
// RUN: %gpuperf predict --device k20 --local 256 --arg n=1048576 --arg k=100 --arg d=16 --arg step=1 --arg row=16 --terms %s | FileCheck %s --check-prefix=ONCE
// ONCE: dram_bytes {{([4-6][0-9]{9}|[4-6]([.][0-9]+)?e[+]09)}} bytes
kernel void nearest(global const float *points, global const float *centres, global int *label, int n, int k, int d,
                    int step, int row)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float best = INFINITY;
    int at = 0;
    for (int c = 0; c < k; c++) {
        float sum = 0;
        for (int j = 0; j < d; j++) {
            float t = points[i * row + j * step] - centres[c * d + j];
            sum += t * t;
        }
        at = sum < best ? c : at;
        best = fmin(sum, best);
    }
    label[i] = at;
}
