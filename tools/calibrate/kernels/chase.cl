// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Pointer chases: each load gives the next one's address, so that nothing but its latency counts; no arithmetic makes an
 * address; eight hops a turn. Words are offsets when the host writes them; link() makes addresses of them, where the buffer lies.
 */
#define HOP(space) at = *(space ulong *)at;
#define EIGHT(space) HOP(space) HOP(space) HOP(space) HOP(space) HOP(space) HOP(space) HOP(space) HOP(space)

kernel void link(global ulong *words, global ulong *out, int count, int unused)
{
    for (size_t i = get_global_id(0); i < (size_t)count; i += get_global_size(0))
        words[i] += (size_t)words;
}

kernel void chase(global ulong *words, global ulong *out, int count, int unused)
{
    size_t at = (size_t)(words + get_local_id(0));
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
    {
        EIGHT(global)
    }
    out[get_local_id(0)] = at;
}

/*
 * The same through constant memory, whose hops are short: 64 a turn. `words` and `out` are one buffer where it is linked. CUDA has variables
 * in constant memory only, and no parameters: there the chain lies in one, which has one place for loads from it and another for stores.
 */
#ifdef CUDA_DRIVER
__asm__(".visible .const .align 16 .b8 constants[65536];");
static size_t place(global ulong *unused)
{
    size_t at;
    __asm__ volatile("mov.u64 %0, constants;" : "=l"(at));
    return at;
}
#define CONSTANT global
#else
#define place(words) (size_t)words
#define CONSTANT constant
#endif

kernel void link_constant(CONSTANT ulong *words, global ulong *out, int count, int unused)
{
    size_t from = place(words);
    for (size_t i = get_global_id(0); i < (size_t)count; i += get_global_size(0))
        out[i] += from;
}

kernel void chase_constant(CONSTANT ulong *words, global ulong *out, int count, int unused)
{
    size_t at = place(words);
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
    {
        EIGHT(constant) EIGHT(constant) EIGHT(constant) EIGHT(constant)
        EIGHT(constant) EIGHT(constant) EIGHT(constant) EIGHT(constant)
    }
    out[get_local_id(0)] = at;
}

enum { WORDS = 256 };

kernel void chase_local(global ulong *words, global ulong *out, int count, int step)
{
    local ulong tile[WORDS];
    for (int i = get_local_id(0); i < WORDS; i += get_local_size(0))
        tile[i] = (size_t)(tile + ((i + step) & (WORDS - 1)));
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t at = (size_t)(tile + get_local_id(0));
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
    {
        EIGHT(local)
    }
    out[get_local_id(0)] = at;
}
