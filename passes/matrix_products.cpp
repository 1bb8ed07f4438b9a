#include "passes/matrix_products.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuperf {

namespace {

struct Shape { unsigned m = 0, n = 0, k = 0; };

} // namespace

/* ---- Products ------------------------------------------------------------------------------------------------- */

/* "m16n8k16", at the beginning. */
static std::optional<Shape> takeShape(StringRef part)
{
    Shape shape;
    if (part.consume_front("m") && !part.consumeInteger(10, shape.m) && part.consume_front("n") && !part.consumeInteger(10, shape.n) && part.consume_front("k") &&
        !part.consumeInteger(10, shape.k) && part.empty())
        return shape;
    return std::nullopt;
}

/* Narrower integers go through the units of bytes, so many times as fast. */
static unsigned perByte(StringRef type) { return StringSwitch<unsigned>(type).Cases({"s4", "u4", "iu4", "e2m1"}, 2).Case("b1", 8).Default(1); }

static bool isOfBytes(StringRef type)
{
    return StringSwitch<bool>(type)
        .Cases({"s8", "u8", "e4m3", "e5m2", "s4", "u4", "b1", "iu8", "iu4", "i8"}, true)
        .Cases({"e2m1", "e2m3", "e3m2", "fp8", "bf8"}, true)
        .Default(false);
}

/* By the operands' types; those of sums tell for 16-bit floats. */
static gp_class classOfTypes(ArrayRef<StringRef> types)
{
    if (any_of(types, isOfBytes)) return GP_CLASS_MATRIX_INT8;
    if (is_contained(types, "f64")) return GP_CLASS_MATRIX_FP64;
    if (is_contained(types, "tf32")) return GP_CLASS_MATRIX_TF32;
    return is_contained(types, "f32") || is_contained(types, "bf16") ? GP_CLASS_MATRIX_FP16_FP32 : GP_CLASS_MATRIX_FP16;
}

/* wgmma counts in 16-bit floats: others take as much longer or shorter. */
static double inHalves(gp_class cost) { return cost == GP_CLASS_MATRIX_INT8 ? 0.5 : cost == GP_CLASS_MATRIX_TF32 ? 2 : 1; }

std::optional<Cost> productInPtx(StringRef name)
{
    SmallVector<StringRef, 16> parts;
    name.split(parts, '.');
    bool group = parts[0] == "wgmma" && parts.size() > 1 && parts[1] == "mma_async";
    bool ofWarp = parts[0] == "mma" || (parts[0] == "wmma" && is_contained(parts, "mma"));
    if (!group && !ofWarp)
        return std::nullopt;
    std::optional<Shape> shape;
    for (StringRef part : parts)
        if (std::optional<Shape> found = takeShape(part))
            shape = found;
    if (!shape)
        return std::nullopt;
    gp_class cost = classOfTypes(parts);
    double products = (double)shape->m * shape->n * shape->k / (group ? 128 : 32);
    if (is_contained(parts, "sp")) /* of the operand's elements half are zeros that are left out */
        products /= 2;
    for (StringRef part : parts)
        if (unsigned narrow = perByte(part); narrow > 1) {
            products /= narrow;
            break;
        }
    if (group)
        products *= inHalves(cost);
    return Cost{group ? GP_CLASS_MATRIX_GROUP : cost, (unsigned)std::max(1.0, products)};
}

/* "32x32x8f16", "16x16x16": what follows the numbers is left. */
static bool takeProduct(StringRef &part, Shape &shape)
{
    return !part.consumeInteger(10, shape.m) && part.consume_front("x") && !part.consumeInteger(10, shape.n) && part.consume_front("x") && !part.consumeInteger(10, shape.k);
}

static gp_class amdClass(ArrayRef<StringRef> types, bool wide)
{
    if (is_contained(types, "f64")) return GP_CLASS_MATRIX_FP64;
    if (any_of(types, isOfBytes)) return GP_CLASS_MATRIX_INT8;
    if (is_contained(types, "f32") || is_contained(types, "xf32")) return GP_CLASS_MATRIX_TF32;
    return wide ? GP_CLASS_MATRIX_FP16_FP32 : GP_CLASS_MATRIX_FP16;
}

std::optional<Cost> productOnAmd(StringRef name, const Type &result)
{
    SmallVector<StringRef, 8> parts, types;
    name.split(parts, '.');
    StringRef kind = parts[0];
    bool sparse = kind == "smfmac" || kind == "swmmac";
    if (!sparse && kind != "mfma" && kind != "wmma")
        return std::nullopt;
    Shape shape;
    for (StringRef part : drop_begin(parts, 2)) {
        bool product = shape.k == 0 && takeProduct(part, shape);
        part.consume_front("_");
        if (!product || !part.empty())
            types.push_back(part);
    }
    if (shape.k == 0)
        return std::nullopt;
    bool wide = result.getScalarSizeInBits() >= 32;
    unsigned products = shape.k / (sparse ? 2 : 1) / (kind == "wmma" && !wide ? 2 : 1); /* WMMA's sums of 16 bits take a register each, half of it */
    return Cost{amdClass(types, wide), std::max(1u, products)};
}

/* ---- Fragments ------------------------------------------------------------------------------------------------ */

static unsigned bitsOf(StringRef type)
{
    return StringSwitch<unsigned>(type).Cases({"f16", "bf16"}, 16).Cases({"f32", "tf32", "s32"}, 32).Case("f64", 64).Cases({"s8", "u8"}, 8).Cases({"s4", "u4"}, 4).Case("b1", 1).Default(0);
}

namespace {

/* "wmma.m16n16k16.load.a.row.stride.f16.p3" */
class Fragment {
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
    std::optional<Shape> shape = takeShape(parts[0]);
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
    return chunks > 0 && isPowerOf2_32(chunkBytes) && isPowerOf2_32(rows) && chunkBytes * chunks == laneBytes && chunkBytes >= 4;
}

/* Lanes go down the rows, then along them. */
Value *Fragment::address(unsigned chunk)
{
    Value *lane = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, ArrayRef<Type *>(), ArrayRef<Value *>());
    Value *number = builder.CreateAdd(lane, builder.getInt32(chunk * 32));
    Value *row = builder.CreateAnd(number, builder.getInt32(rows - 1)), *part = builder.CreateLShr(number, builder.getInt32(Log2_32(rows)));
    Value *stride = call.getArgOperand(call.arg_size() - 1);
    Value *elements = builder.CreateMul(row, stride);
    Value *bytes = bits >= 8 ? builder.CreateMul(elements, builder.getInt32(bits / 8)) : builder.CreateLShr(elements, builder.getInt32(Log2_32(8 / bits)));
    Value *offset = builder.CreateAdd(bytes, builder.CreateMul(part, builder.getInt32(chunkBytes)));
    return builder.CreateGEP(builder.getInt8Ty(), call.getArgOperand(0), builder.CreateSExt(offset, builder.getInt64Ty()));
}

/* A register of the fragment, made of a loaded word: which one does not matter. */
static Value *asRegister(IRBuilder<> &builder, Value *word, Type *type)
{
    return builder.CreateBitCast(type->getPrimitiveSizeInBits() == 64 ? builder.CreateZExt(word, builder.getInt64Ty()) : word, type);
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
        all = builder.CreateInsertValue(all, asRegister(builder, words[i % words.size()], structure->getElementType(i)), i);
    call.replaceAllUsesWith(all);
}

void Fragment::store()
{
    unsigned values = call.arg_size() - 2, used = 0;
    for (unsigned i = 0; i < chunks; i++) {
        Value *all = PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), chunkBytes / 4));
        for (unsigned w = 0; w < chunkBytes / 4; w++) {
            Value *value = call.getArgOperand(1 + used++ % values);
            Value *integer = builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
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
