/*
 * The edit distance of each of PAIRS pairs of strings of LENGTH characters, a pair per work-item. VARIANT 0: the row of distances and the second
 * string in arrays of the work-item; 1: in local memory, as bytes. BY_COLUMN: the first characters of all strings side by side, then the second ones.
 */
#undef CHARACTER
#if BY_COLUMN
#define CHARACTER(strings, turned, k) turned[(k) * PAIRS + pair]
#else
#define CHARACTER(strings, turned, k) strings[pair * LENGTH + (k)]
#endif
__kernel void levenshtein(__global int *restrict distances, __global const uchar *restrict left, __global const uchar *restrict right,
                          __global const uchar *restrict left_turned, __global const uchar *restrict right_turned)
{
    const int t = get_local_id(0), pair = get_group_id(0) * BLOCK_X + t;
#if VARIANT == 0
    int row[LENGTH];
    uchar other[LENGTH];
#define ROW(j) row[j]
#define OTHER(j) other[j]
#define TURNS _Pragma("unroll")
#else
    __local uchar row[LENGTH][BLOCK_X], other[LENGTH][BLOCK_X];
#define ROW(j) row[j][t]
#define OTHER(j) other[j][t]
#define TURNS
#endif
    if (pair >= PAIRS)
        return;
    TURNS for (int j = 0; j < LENGTH; j++) {
        ROW(j) = j + 1;
        OTHER(j) = CHARACTER(right, right_turned, j);
    }
    int last = 0;
    for (int i = 0; i < LENGTH; i++) {
        const uchar own = CHARACTER(left, left_turned, i);
        int diagonal = i;
        last = i + 1;
        TURNS for (int j = 0; j < LENGTH; j++) {
            const int above = ROW(j), changed = diagonal + (own != OTHER(j));
            last = min(min(above, last) + 1, changed);
            diagonal = above;
            ROW(j) = last;
        }
    }
    distances[pair] = last;
#undef ROW
#undef OTHER
#undef TURNS
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
