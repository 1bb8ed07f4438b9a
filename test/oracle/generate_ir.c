/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * generate_ir FIRST COUNT [BLOCKS]: prints COUNT random kernels as LLVM IR, one per seed from FIRST on, for
 * gpuperf-oracle: graphs of up to BLOCKS blocks (16) that no source need have. Branches, switches with several cases
 * for one block, returns, unreachable ends and blocks that nothing leads to. Each block has a phi of what decides where
 * it goes and of the turns that are left, so that every cycle ends.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_BLOCKS = 4096, WAYS = 4 };

enum end { GO, BRANCH, SWITCH, RETURN, UNREACHABLE, END_COUNT };

struct block {
    enum end end;
    uint32_t to[WAYS]; /* GO: 1; BRANCH: 2; SWITCH: 4, the default last */
};

static uint64_t state;
static struct block blocks[MAX_BLOCKS];
static uint32_t count;

static uint32_t chance(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1du) >> 33) % below;
}

static uint32_t ways(const struct block *block)
{
    return block->end == GO ? 1 : block->end == BRANCH ? 2 : block->end == SWITCH ? WAYS : 0;
}

/* Near blocks more often than far ones, so that there are cycles in cycles. */
static uint32_t some_block(uint32_t from)
{
    if (chance(3) == 0)
        return chance(count);
    uint32_t at = from + chance(7);
    return at < 3 ? 0 : at - 3 < count ? at - 3 : count - 1;
}

static void make_graph(uint32_t most)
{
    static const enum end ends[] = {GO, BRANCH, BRANCH, BRANCH, BRANCH, SWITCH, SWITCH};
    count = 2 + chance(most - 1);
    for (uint32_t b = 0; b < count; b++) {
        blocks[b].end = chance(12) == 0 ? (chance(3) ? RETURN : UNREACHABLE) : ends[chance(7)];
        for (uint32_t i = 0; i < WAYS; i++)
            blocks[b].to[i] = some_block(b);
    }
}

/* The phi of a name in a block: what each way to it brings, one entry for each. `first`: from the entry. */
static void print_phi(uint32_t to, const char *name, const char *first)
{
    bool any = to == 0;
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t i = 0; i < ways(&blocks[b]); i++)
            any |= blocks[b].to[i] == to;
    if (!any) {
        printf("  %%%s%u = add i32 1, 0\n", name, to);
        return;
    }
    printf("  %%%s%u = phi i32 ", name, to);
    const char *comma = "";
    if (to == 0) {
        printf("[ %s, %%entry ]", first);
        comma = ", ";
    }
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t i = 0; i < ways(&blocks[b]); i++)
            if (blocks[b].to[i] == to) {
                printf("%s[ %%%s.next%u, %%turn%u ]", comma, name, b, b);
                comma = ", ";
            }
    printf("\n");
}

static void print_end(uint32_t b)
{
    const struct block *block = &blocks[b];
    switch (block->end) {
    case GO: printf("  br label %%b%u\n", block->to[0]); break;
    case BRANCH:
        printf("  %%bit%u = and i32 %%st.next%u, %u\n  %%on%u = icmp eq i32 %%bit%u, 0\n  br i1 %%on%u, label %%b%u, "
               "label %%b%u\n",
               b, b, 1u << chance(6), b, b, b, block->to[0], block->to[1]);
        break;
    case SWITCH:
        printf("  %%which%u = and i32 %%st.next%u, 7\n  switch i32 %%which%u, label %%b%u [ i32 0, label %%b%u  i32 3, "
               "label %%b%u  i32 5, label %%b%u ]\n",
               b, b, b, block->to[3], block->to[0], block->to[1], block->to[2]);
        break;
    case UNREACHABLE: /* which has to be true: nothing may come here */
        printf("  %%never%u = icmp ugt i32 %%st.next%u, 63\n  br i1 %%never%u, label %%trap, label %%out\n", b, b, b);
        break;
    default: printf("  br label %%out\n"); break;
    }
}

static void print_block(uint32_t b)
{
    printf("b%u:\n", b);
    print_phi(b, "st", "%first");
    print_phi(b, "left", "%turns");
    printf("  %%left.next%u = sub i32 %%left%u, 1\n", b, b);
    printf("  %%odd%u = mul i32 %%st%u, %u\n  %%more%u = add i32 %%odd%u, %s\n  %%moved%u = add i32 %%more%u, %u\n", b,
           b, 1 + 2 * chance(8), b, b, chance(2) ? "%n" : "%lx", b, b, chance(64));
    printf("  %%st.next%u = and i32 %%moved%u, 63\n", b, b);
    if (chance(3)) {
        printf("  %%far%u = mul i32 %%st.next%u, %u\n  %%index%u = add i32 %%far%u, %%lx\n", b, b, chance(40), b, b);
        printf("  %%at%u = getelementptr i32, ptr addrspace(1) %%a, i32 %%index%u\n  store i32 %u, ptr addrspace(1) "
               "%%at%u, align 4\n",
               b, b, b, b);
    }
    printf("  %%end%u = icmp slt i32 %%left%u, 0\n  br i1 %%end%u, label %%out, label %%turn%u\nturn%u:\n", b, b, b, b,
           b);
    print_end(b);
}

static void print_kernel(uint64_t seed, uint32_t most)
{
    state = seed * 0x9e3779b97f4a7c15u + 0x1234567;
    for (int i = 0; i < 8; i++)
        chance(2);
    make_graph(most);
    printf("; // run k%llu: global=%u local=%u n=%u turns=%u\n", (unsigned long long)seed, 64 + chance(65),
           32 + 16 * chance(4), chance(60), 5 + chance(60));
    printf("define spir_kernel void @k%llu(ptr addrspace(1) %%a, i32 %%n, i32 %%turns) {\nentry:\n",
           (unsigned long long)seed);
    printf("  %%id = call spir_func i64 @_Z12get_local_idj(i32 0)\n  %%lx = trunc i64 %%id to i32\n  %%sum = add i32 "
           "%%%s, %u\n  %%first = and i32 %%sum, 63\n"
           "  br label %%b0\n",
           chance(2) ? "lx" : "n", chance(64));
    for (uint32_t b = 0; b < count; b++)
        print_block(b);
    printf("trap:\n  unreachable\nout:\n  store i32 1, ptr addrspace(1) %%a, align 4\n  ret void\n}\n\n");
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, kernels = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint32_t most = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 16;
    if (most < 2 || most > MAX_BLOCKS)
        return 2;
    printf("target triple = \"spir64\"\n"
           "target datalayout = "
           "\"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1\"\n"
           "declare spir_func i64 @_Z12get_local_idj(i32)\n\n");
    for (uint64_t seed = first; seed < first + kernels; seed++)
        print_kernel(seed, most);
    return 0;
}
