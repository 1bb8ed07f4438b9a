// Rows that each work-group reads time and again come from DRAM each time, since those of all groups do not fit into L2;
// that all groups read one table beside them, longer than a group's rows, changes nothing.
// RUN: %gpuperf predict --device a100 --local 256 --arg n=1048576 --arg k=1024 --arg d=128 %s | FileCheck %s --check-prefix=A100
// RUN: %gpuperf predict --device rtx3080 --local 256 --arg n=1048576 --arg k=1024 --arg d=128 %s | FileCheck %s --check-prefix=RTX3080
// 512 MB, 1024 times, at 1.5 and 0.7 TB/s.
// A100: time 3{{[0-9][0-9]}} ms
// A100: units DRAM {{9[5-9]|100}}%
// RTX3080: time {{[67][0-9][0-9]}} ms
// RTX3080: units DRAM {{9[5-9]|100}}%
kernel void nearest(global const float *points, global const float *centres, global int *label, int n, int k, int d)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float best = INFINITY;
    for (int c = 0; c < k; c++) {
        float sum = 0;
        for (int j = 0; j < d; j++) {
            float t = points[j * n + i] - centres[c * d + j];
            sum += t * t;
        }
        if (sum < best) {
            best = sum;
            label[i] = c;
        }
    }
}
