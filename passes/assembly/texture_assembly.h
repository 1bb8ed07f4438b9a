/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's texture and surface objects, as clang's headers read and write them. */
#ifndef GPUPERF_PASSES_TEXTURE_ASSEMBLY_H
#define GPUPERF_PASSES_TEXTURE_ASSEMBLY_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Inline assembly that is one texture fetch, gather or surface access (tex2D() and the like: "tex.2d.v4.f32.f32 {...},
 * [$4, {$5, $6}];", PTX ISA, "tex", "tld4", "suld", "sust") becomes the intrinsic for it: of a surface with texels for
 * bytes as its first coordinate, of a gather with half of the coordinates, since it fetches a square of four texels and
 * what neighbours fetch of it is the same. Surfaces with layers, and fetches that say whether the texel is resident,
 * stay assembly.
 */
void spellOutTextureFetches(llvm::Function &function);

} // namespace gpuperf
#endif
