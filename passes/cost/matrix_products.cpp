/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/cost/matrix_products.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gpuperf
{

std::optional<MatrixShape> matrixShape(StringRef part)
{
    MatrixShape shape;
    if (part.consume_front("m") && !part.consumeInteger(10, shape.m) && part.consume_front("n") &&
        !part.consumeInteger(10, shape.n) && part.consume_front("k") && !part.consumeInteger(10, shape.k) &&
        part.empty())
        return shape;
    return std::nullopt;
}

/* Narrower integers go through the units of bytes, so many times as fast. */
static unsigned perByte(StringRef type)
{
    return StringSwitch<unsigned>(type).Cases({"s4", "u4", "iu4", "e2m1"}, 2).Case("b1", 8).Default(1);
}

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
    if (any_of(types, isOfBytes))
        return GP_CLASS_MATRIX_INT8;
    if (is_contained(types, "f64"))
        return GP_CLASS_MATRIX_FP64;
    if (is_contained(types, "tf32"))
        return GP_CLASS_MATRIX_TF32;
    return is_contained(types, "f32") || is_contained(types, "bf16") ? GP_CLASS_MATRIX_FP16_FP32 : GP_CLASS_MATRIX_FP16;
}

/* wgmma counts in 16-bit floats: others take as much longer or shorter. */
static double inHalves(gp_class cost)
{
    return cost == GP_CLASS_MATRIX_INT8 ? 0.5 : cost == GP_CLASS_MATRIX_TF32 ? 2 : 1;
}

std::optional<Cost> productInPtx(StringRef name)
{
    SmallVector<StringRef, 16> parts;
    name.split(parts, '.');
    bool group = parts[0] == "wgmma" && parts.size() > 1 && parts[1] == "mma_async";
    bool ofWarp = parts[0] == "mma" || (parts[0] == "wmma" && is_contained(parts, "mma"));
    if (!group && !ofWarp)
        return std::nullopt;
    std::optional<MatrixShape> shape;
    for (StringRef part : parts)
        if (std::optional<MatrixShape> found = matrixShape(part))
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
static bool takeProduct(StringRef &part, MatrixShape &shape)
{
    return !part.consumeInteger(10, shape.m) && part.consume_front("x") && !part.consumeInteger(10, shape.n) &&
           part.consume_front("x") && !part.consumeInteger(10, shape.k);
}

static gp_class amdClass(ArrayRef<StringRef> types, bool wide)
{
    if (is_contained(types, "f64"))
        return GP_CLASS_MATRIX_FP64;
    if (any_of(types, isOfBytes))
        return GP_CLASS_MATRIX_INT8;
    if (is_contained(types, "f32") || is_contained(types, "xf32"))
        return GP_CLASS_MATRIX_TF32;
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
    MatrixShape shape;
    for (StringRef part : drop_begin(parts, 2)) {
        bool product = shape.k == 0 && takeProduct(part, shape);
        part.consume_front("_");
        if (!product || !part.empty())
            types.push_back(part);
    }
    if (shape.k == 0)
        return std::nullopt;
    bool wide = result.getScalarSizeInBits() >= 32;
    unsigned products = shape.k / (sparse ? 2 : 1) /
                        (kind == "wmma" && !wide ? 2 : 1); /* WMMA's sums of 16 bits take a register each, half of it */
    return Cost{amdClass(types, wide), std::max(1u, products)};
}

} // namespace gpuperf
