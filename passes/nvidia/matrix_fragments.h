/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles of matrices that the lanes of a warp load and store together. */
#ifndef GPUPERF_PASSES_MATRIX_FRAGMENTS_H
#define GPUPERF_PASSES_MATRIX_FRAGMENTS_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Loads and stores of a fragment (wmma::load_matrix_sync) become accesses of each lane: up to 16 bytes of a row, so
 * that all lanes together touch each byte of the tile once. Which lane has which elements is not told (CUDA C++
 * Programming Guide, "Warp Matrix Functions"); from shared memory NVIDIA's compiler makes ldmatrix of them, which takes
 * rows of 16 bytes.
 */
void spellOutFragments(llvm::Function &function);

} // namespace gpuperf
#endif
