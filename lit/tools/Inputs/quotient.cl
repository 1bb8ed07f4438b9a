kernel void quotient(global float *o, global const float *x) { size_t i = get_global_id(0); o[i] = x[i] / x[i + 1]; }
