/* CUDA's texture objects, as clang's headers read them. */
#ifndef GPUPERF_PASSES_TEXTURE_ASSEMBLY_H
#define GPUPERF_PASSES_TEXTURE_ASSEMBLY_H

#include "llvm/IR/Function.h"

namespace gpuperf {

/*
 * Inline assembly that is one texture fetch (tex2D() and the like: "tex.2d.v4.f32.f32 {...}, [$4, {$5, $6}];", PTX ISA, "tex") becomes the
 * intrinsic for it. Surfaces, gathers and fetches that say whether the texel is resident stay assembly.
 */
void spellOutTextureFetches(llvm::Function &function);

} // namespace gpuperf
#endif
