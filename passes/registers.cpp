/*
 * DESCRIPTION
 *    The largest number of 32-bit registers that are live at once, over all points of the profile, plus what a target
 * keeps for itself.
 *
 * ALGORITHM
 *    Instructions that cost nothing own no register: they stand for their operands ("roots"). Liveness of the others by
 * the usual backward data flow over blocks, then a walk backwards through each block. Uniform values are in scalar
 * registers on AMD.
 */
#include "passes/registers.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SparseBitVector.h"

using namespace llvm;

namespace gpuperf {

namespace {

struct Liveness {
    const gp_kernel &kernel;
    Target target;
    std::vector<SmallVector<uint32_t, 2>> roots; /* per instruction, what its result lives in */
    std::vector<SparseBitVector<>> in;           /* per block, live at its start */
    std::vector<std::vector<uint32_t>> successors, predecessors;

    Liveness(const gp_kernel &kernel, Target target) : kernel(kernel), target(target) {}

    const gp_inst &inst(uint32_t i) const { return kernel.insts[i]; }
    gp_ref operand(const gp_inst &i, uint32_t k) const { return kernel.operands[i.operand + k]; }

    bool scalar(uint32_t i) const
    {
        return target == Target::Amdgcn && (inst(i).flags & GP_INST_UNIFORM) && inst(i).op != GP_OP_PHI;
    }

    unsigned size(uint32_t i) const
    {
        const gp_inst &value = inst(i);
        if (value.bits <= 1)
            return 0; /* predicates */
        unsigned words = value.bits == 64 ? 2 : 1;
        if (value.record != GP_NONE && (value.op == GP_OP_LOAD || value.op == GP_OP_IMAGE_LOAD)) {
            const gp_memory &memory = kernel.memory[value.record];
            unsigned elements = value.op == GP_OP_IMAGE_LOAD ? memory.vector : std::max<unsigned>(1, memory.vector);
            return std::max(words * elements, 1u);
        }
        bool vector = (value.op == GP_OP_WEIGHT || value.op == GP_OP_PHI) && value.repeat > 1 && value.repeat <= 16 &&
                      value.cost != GP_CLASS_CALL;
        return vector ? words * value.repeat : words;
    }

    bool transparent(uint32_t i) const
    {
        const gp_inst &value = inst(i);
        return value.op != GP_OP_PHI && value.op != GP_OP_LOAD && value.op != GP_OP_ID && value.cost == GP_CLASS_FREE;
    }

    void findRoots(uint32_t count)
    {
        roots.resize(count);
        for (uint32_t i = 0; i < count; i++) {
            const gp_inst &value = inst(i);
            if (value.bits == 0)
                continue;
            bool constantRead =
                value.op == GP_OP_ID && value.cost == GP_CLASS_FREE; /* read from constant memory where it is used */
            if (constantRead)
                continue;
            if (!transparent(i)) {
                roots[i].push_back(i);
                continue;
            }
            for (uint32_t k = 0; k < value.operand_count; k++) {
                gp_ref ref = operand(value, k);
                if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) < i)
                    for (uint32_t root : roots[gp_ref_index(ref)])
                        if (roots[i].size() < 4 && !is_contained(roots[i], root))
                            roots[i].push_back(root);
            }
        }
    }

    template <typename Visit> void uses(uint32_t i, Visit visit) const
    {
        const gp_inst &user = inst(i);
        if (user.op == GP_OP_PHI || (transparent(i) && user.bits != 0))
            return;
        for (uint32_t k = 0; k < user.operand_count; k++) {
            gp_ref ref = operand(user, k);
            if (gp_ref_kind(ref) == GP_REF_INST)
                for (uint32_t root : roots[gp_ref_index(ref)])
                    visit(root);
        }
    }

    /* Live at the end of a block: at its successors' starts, and what their phis take from it. */
    SparseBitVector<> out(uint32_t block) const
    {
        SparseBitVector<> live;
        for (uint32_t next : successors[block]) {
            live |= in[next];
            const gp_block &to = kernel.blocks[next];
            for (uint32_t i = to.inst; i < to.inst + to.inst_count && inst(i).op == GP_OP_PHI; i++)
                for (uint32_t k = 0; k + 1 < inst(i).operand_count; k += 2)
                    if (gp_ref_index(operand(inst(i), k)) == block &&
                        gp_ref_kind(operand(inst(i), k + 1)) == GP_REF_INST)
                        for (uint32_t root : roots[gp_ref_index(operand(inst(i), k + 1))])
                            live.set(root);
        }
        return live;
    }

    void solve()
    {
        in.resize(kernel.block_count);
        successors.resize(kernel.block_count);
        predecessors.resize(kernel.block_count);
        for (uint32_t b = 0; b < kernel.block_count; b++) {
            const gp_inst &last = inst(kernel.blocks[b].inst + kernel.blocks[b].inst_count - 1);
            for (uint32_t k = 0; k < last.operand_count; k++)
                if (gp_ref_kind(operand(last, k)) == GP_REF_BLOCK) {
                    successors[b].push_back(gp_ref_index(operand(last, k)));
                    predecessors[gp_ref_index(operand(last, k))].push_back(b);
                }
        }
        std::vector<SparseBitVector<>> used(kernel.block_count), made(kernel.block_count);
        for (uint32_t b = 0; b < kernel.block_count; b++)
            summarise(kernel.blocks[b], used[b], made[b]);
        std::vector<bool> behindChanged(kernel.block_count, true); /* what is live behind the block may be more than it was */
        bool changed = true;
        for (unsigned round = 0; changed && round < 20; round++) {
            changed = false;
            for (uint32_t b = kernel.block_count; b-- > 0;) {
                if (!behindChanged[b])
                    continue;
                behindChanged[b] = false;
                SparseBitVector<> live = out(b);
                live.intersectWithComplement(made[b]);
                live |= used[b];
                if (live == in[b])
                    continue;
                in[b] = std::move(live);
                changed = true;
                for (uint32_t before : predecessors[b])
                    behindChanged[before] = true;
            }
        }
    }

    /* A block for the data flow: what it uses of others' values, and what is made there. */
    void summarise(const gp_block &block, SparseBitVector<> &used, SparseBitVector<> &made) const
    {
        uint32_t first = block.inst, end = block.inst + block.inst_count;
        for (uint32_t i = first; i < end; i++) {
            made.set(i);
            uses(i, [&](uint32_t root) {
                if (root < first || root >= end)
                    used.set(root);
            });
        }
    }

    /* The most of vector registers live at once, and of scalar ones. */
    void peak(unsigned &vector, unsigned &scalars) const
    {
        vector = scalars = 0;
        std::vector<uint32_t> live(roots.size(), GP_NONE); /* the block in which a value was seen to be live last */
        for (uint32_t b = 0; b < kernel.block_count; b++) {
            long now[2] = {0, 0};
            for (uint32_t root : out(b)) {
                live[root] = b;
                now[scalar(root)] += size(root);
            }
            const gp_block &block = kernel.blocks[b];
            auto record = [&] {
                vector = std::max(vector, (unsigned)now[0]);
                scalars = std::max(scalars, (unsigned)now[1]);
            };
            record();
            for (uint32_t i = block.inst + block.inst_count; i-- > block.inst;) {
                if (live[i] == b) {
                    live[i] = GP_NONE;
                    now[scalar(i)] -= size(i);
                }
                uses(i, [&](uint32_t root) {
                    if (live[root] == b)
                        return;
                    live[root] = b;
                    now[scalar(root)] += size(root);
                });
                record();
            }
        }
    }
};

} // namespace

/*
 * From values to registers on NVIDIA, fitted to what ptxas (CUDA 13, sm_80) gives for the 289 kernels of darktable:
 * four of five come out within 25 percent. ptxas shares better than counting values does, issues loads above their
 * uses, and needs room for addresses of surfaces and for the slow paths of divisions.
 */
static unsigned nvidiaRegisters(const gp_kernel &kernel, unsigned values)
{
    unsigned loads = 0, stores = 0, slow = 0;
    for (uint32_t i = 0; i < kernel.inst_count; i++) {
        const gp_inst &inst = kernel.insts[i];
        loads += inst.op == GP_OP_LOAD;
        stores += inst.op == GP_OP_IMAGE_STORE;
        switch ((gp_class)inst.cost) {
        case GP_CLASS_INT_DIV:
        case GP_CLASS_INT_UDIV:
        case GP_CLASS_LONG_DIV:
        case GP_CLASS_FLOAT_DIV:
        case GP_CLASS_FLOAT_SQRT:
        case GP_CLASS_FLOAT_DIV_LOOSE:
        case GP_CLASS_FLOAT_SQRT_LOOSE:
        case GP_CLASS_MATH32_TRIG: case GP_CLASS_MATH32_EXP: case GP_CLASS_MATH32_LOG: case GP_CLASS_MATH32_POW:
        case GP_CLASS_MATH32_OTHER: case GP_CLASS_DOUBLE_DIV: case GP_CLASS_DOUBLE_SQRT: case GP_CLASS_MATH64:
            slow++;
            break;
        default: break;
        }
    }
    return (values * 9 + 5) / 10 + 7 + std::min(loads, 8u) / 2 + (stores > 0 ? 4 : 0) + (slow > 0 ? 2 : 0);
}

gp_resources estimateRegisters(const gp_kernel &kernel, Target target)
{
    uint32_t blockInsts = 0;
    for (uint32_t b = 0; b < kernel.block_count; b++)
        blockInsts += kernel.blocks[b].inst_count;
    Liveness liveness(kernel, target);
    liveness.findRoots(blockInsts);
    liveness.solve();
    unsigned vector = 0, scalars = 0;
    liveness.peak(vector, scalars);

    gp_resources resources = {};
    resources.source = GP_SOURCE_ESTIMATE;
    for (uint32_t i = 0; i < kernel.private_count; i++)
        resources.stack_bytes += kernel.privates[i].bytes;
    if (target == Target::Amdgcn) {
        resources.registers = std::clamp(vector + 4, 8u, 256u);
        resources.scalar_registers = std::clamp(scalars + 16, 16u, 102u);
    } else {
        resources.registers = std::clamp(nvidiaRegisters(kernel, vector), 8u, 255u);
    }
    return resources;
}

} // namespace gpuperf
