/* Rodinia's back propagation: weights from the input layer to 16 hidden units, a group per 16 inputs. */
#define HEIGHT 16 /* inputs of a group */
#define WIDTH 16  /* hidden units */
#define ETA 0.3f
#define MOMENTUM 0.3f

/* Each unit's share of the weighted sum, added up over the group's inputs by a tree. */
kernel void bpnn_layerforward(global const float *input, global float *weights, global float *partial_sum, local float *node, local float *product, int hidden)
{
    int by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int index = (hidden + 1) * HEIGHT * by + (hidden + 1) * ty + tx + 1 + (hidden + 1);
    int index_in = HEIGHT * by + ty + 1;
    if (tx == 0)
        node[ty] = input[index_in];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[ty * WIDTH + tx] = weights[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[ty * WIDTH + tx] *= node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    __attribute__((opencl_unroll_hint(1)))
    for (int i = 1; i <= HEIGHT; i *= 2) {
        if (ty % i == 0 && ty + i / 2 < HEIGHT && i > 1)
            product[ty * WIDTH + tx] += product[(ty + i / 2) * WIDTH + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[index] = product[ty * WIDTH + tx];
    if (tx == 0)
        partial_sum[by * hidden + ty] = product[tx * WIDTH + ty];
}

kernel void bpnn_adjust_weights(global const float *delta, int hidden, global const float *layer, global float *w, global float *old_w)
{
    int by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int index = (hidden + 1) * HEIGHT * by + (hidden + 1) * ty + tx + 1 + (hidden + 1);
    int index_y = HEIGHT * by + ty + 1, index_x = tx + 1;
    w[index] += ETA * delta[index_x] * layer[index_y] + MOMENTUM * old_w[index];
    old_w[index] = ETA * delta[index_x] * layer[index_y] + MOMENTUM * old_w[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ty == 0 && by == 0) {
        w[index_x] += ETA * delta[index_x] + MOMENTUM * old_w[index_x];
        old_w[index_x] = ETA * delta[index_x] + MOMENTUM * old_w[index_x];
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
