/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products of small matrices that a warp or wave computes together: tensor cores, MFMA, WMMA. */
#ifndef GPUPERF_PASSES_MATRIX_PRODUCTS_H
#define GPUPERF_PASSES_MATRIX_PRODUCTS_H

#include <optional>

#include "passes/cost/classify.h"

namespace gpuperf
{

/*
 * What one product pays: its class by the operands' type, `repeat` the multiply-adds per lane, on AMD per element of
 * the result. Nothing: the name is not one of a product, or has a shape that is not known. ptx      a PTX mnemonic,
 * "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", wgmma.mma_async, or what follows "llvm.nvvm." of an intrinsic:
 * "wmma.m16n16k16.mma.row.col.f32.f32" amdgcn   what follows "llvm.amdgcn.": "mfma.f32.32x32x8f16",
 * "wmma.f32.16x16x16.f16"; each element of a lane's result is k multiply-adds
 */
std::optional<Cost> productInPtx(llvm::StringRef name);
std::optional<Cost> productOnAmd(llvm::StringRef name, const llvm::Type &result);

struct MatrixShape {
    unsigned m = 0, n = 0, k = 0;
};

/* "m16n8k16" and nothing else. */
std::optional<MatrixShape> matrixShape(llvm::StringRef part);

} // namespace gpuperf
#endif
