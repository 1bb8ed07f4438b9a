/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inline assembly as the instructions that it stands for: a file each, called by the table in passes/rewrites.cpp. */
#ifndef GPUPERF_PASSES_ASSEMBLY_REWRITES_H
#define GPUPERF_PASSES_ASSEMBLY_REWRITES_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/* ---- Memory assembly --------------------------------------------------------------------------------------------- */

/* Loads, stores and atomics that CUDA's headers and programs write in PTX. */

/*
 * Inline assembly that is one access to memory becomes that access: __ldcg() and the like ("ld.global.cg.f32 $0,
 * [$1];"), st, red and atom on integers and with float additions, cp.async as a load and a store that does not wait for
 * it (async_copies.h), ldmatrix as the row of 16 bytes whose address each lane gives, of .x1 and .x2 each of the first
 * 8 and 16 (PTX ISA, "Data Movement and Conversion Instructions"). bar.sync and barrier.sync for all of the group
 * become the barrier. What has other forms stays assembly. Returns whether there are new blocks, made for loads of some
 * lanes.
 */
bool spellOutMemoryAssembly(llvm::Function &function);

/* ---- Split assembly ---------------------------------------------------------------------------------------------- */

/* Inline assembly of several statements. */

/*
 * Assembly in PTX each of whose statements is known by its name (`shfl.sync.up.b32 r0|p, ...; @p add.s32 r0, r0, ...;
 * mov.s32 ..., r0` of CUB's scans) becomes a statement after the other, each with the result of the one before and all
 * that the whole was given. What they compute is not kept, only what they cost and wait for; moves between registers
 * are none. For copies that are analysed.
 */
void splitAssembly(llvm::Function &function);

/* ---- Texture assembly -------------------------------------------------------------------------------------------- */

/* CUDA's texture and surface objects, as clang's headers read and write them. */

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
