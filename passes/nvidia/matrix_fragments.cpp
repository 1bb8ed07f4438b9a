/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/matrix_fragments.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/cost/matrix_products.h"
#include "passes/ir/special_registers.h"

using namespace llvm;

namespace gpuperf
{

static unsigned bitsOf(StringRef type)
{
    return StringSwitch<unsigned>(type)
        .Cases({"f16", "bf16"}, 16)
        .Cases({"f32", "tf32", "s32"}, 32)
        .Case("f64", 64)
        .Cases({"s8", "u8"}, 8)
        .Cases({"s4", "u4"}, 4)
        .Case("b1", 1)
        .Default(0);
}

namespace
{

/* "wmma.m16n16k16.load.a.row.stride.f16.p3" */
class Fragment
{
public:
    explicit Fragment(IntrinsicInst &call) : call(call), builder(&call) {}
    bool run();

private:
    bool parse();
    Value *address(unsigned chunk);
    void load();
    void store();

    IntrinsicInst &call;
    IRBuilder<> builder;
    bool isStore = false;
    unsigned rows = 0, rowBytes = 0; /* as they lie in memory */
    unsigned bits = 0;
    unsigned chunks = 0, chunkBytes = 0; /* of a lane */
};

} // namespace

bool Fragment::parse()
{
    StringRef name = call.getCalledFunction()->getName();
    SmallVector<StringRef, 12> parts;
    if (!name.consume_front("llvm.nvvm.wmma."))
        return false;
    name.split(parts, '.');
    std::optional<MatrixShape> shape = matrixShape(parts[0]);
    if (!shape || parts.size() < 6 || (parts[1] != "load" && parts[1] != "store") || !is_contained(parts, "stride"))
        return false;
    isStore = parts[1] == "store";
    for (StringRef part : drop_begin(parts, 4))
        bits = std::max(bits, bitsOf(part));
    StringRef matrix = parts[2];
    unsigned height = matrix == "b" ? shape->k : shape->m, width = matrix == "a" ? shape->k : shape->n;
    if (parts[3] == "col")
        std::swap(height, width);
    rows = height;
    rowBytes = width * bits / 8;
    unsigned laneBytes = rows * rowBytes / 32;
    chunkBytes = std::min(laneBytes, std::min(16u, rowBytes));
    chunks = chunkBytes ? laneBytes / chunkBytes : 0;
    return chunks > 0 && isPowerOf2_32(chunkBytes) && isPowerOf2_32(rows) && chunkBytes * chunks == laneBytes &&
           chunkBytes >= 4;
}

/* Lanes go down the rows, then along them. */
Value *Fragment::address(unsigned chunk)
{
    Value *lane = readLane(builder);
    Value *number = builder.CreateAdd(lane, builder.getInt32(chunk * 32));
    Value *row = builder.CreateAnd(number, builder.getInt32(rows - 1)),
          *part = builder.CreateLShr(number, builder.getInt32(Log2_32(rows)));
    Value *stride = call.getArgOperand(call.arg_size() - 1);
    Value *elements = builder.CreateMul(row, stride);
    Value *bytes = bits >= 8 ? builder.CreateMul(elements, builder.getInt32(bits / 8))
                             : builder.CreateLShr(elements, builder.getInt32(Log2_32(8 / bits)));
    Value *offset = builder.CreateAdd(bytes, builder.CreateMul(part, builder.getInt32(chunkBytes)));
    return builder.CreateGEP(builder.getInt8Ty(), call.getArgOperand(0),
                             builder.CreateSExt(offset, builder.getInt64Ty()));
}

/* A register of the fragment, made of a loaded word: which one does not matter. */
static Value *asRegister(IRBuilder<> &builder, Value *word, Type *type)
{
    return builder.CreateBitCast(
        type->getPrimitiveSizeInBits() == 64 ? builder.CreateZExt(word, builder.getInt64Ty()) : word, type);
}

void Fragment::load()
{
    SmallVector<Value *, 16> words;
    Type *type = FixedVectorType::get(builder.getInt32Ty(), chunkBytes / 4);
    for (unsigned i = 0; i < chunks; i++) {
        Value *loaded = builder.CreateAlignedLoad(type, address(i), Align(chunkBytes));
        for (unsigned w = 0; w < chunkBytes / 4; w++)
            words.push_back(builder.CreateExtractElement(loaded, w));
    }
    auto *structure = dyn_cast<StructType>(call.getType());
    Value *all = structure ? PoisonValue::get(structure) : asRegister(builder, words[0], call.getType());
    for (unsigned i = 0; structure && i < structure->getNumElements(); i++)
        all = builder.CreateInsertValue(all, asRegister(builder, words[i % words.size()], structure->getElementType(i)),
                                        i);
    call.replaceAllUsesWith(all);
}

void Fragment::store()
{
    unsigned values = call.arg_size() - 2, used = 0;
    for (unsigned i = 0; i < chunks; i++) {
        Value *all = PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), chunkBytes / 4));
        for (unsigned w = 0; w < chunkBytes / 4; w++) {
            Value *value = call.getArgOperand(1 + used++ % values);
            Value *integer =
                builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
            all = builder.CreateInsertElement(all, builder.CreateZExtOrTrunc(integer, builder.getInt32Ty()), w);
        }
        builder.CreateAlignedStore(all, address(i), Align(chunkBytes));
    }
}

bool Fragment::run()
{
    if (!parse())
        return false;
    isStore ? store() : load();
    return true;
}

void spellOutFragments(Function &function)
{
    for (Instruction &inst : make_early_inc_range(instructions(function)))
        if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && Fragment(*call).run())
            call->eraseFromParent();
}

} // namespace gpuperf
