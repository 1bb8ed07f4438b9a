/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Line tables that the plugin itself has switched on: kept small while the optimiser carries them, and taken out in the
 * end. */
#ifndef GPUPERF_PLUGIN_LINE_TABLES_H
#define GPUPERF_PLUGIN_LINE_TABLES_H

#include "llvm/IR/Module.h"

namespace gpuperf
{

/*
 * Takes the location from every instruction that nothing will be said about: what remains are memory operations, calls
 * of more than arithmetic, divisions, double precision, powers that could be products, and the branches that decide
 * something. Loops are marked, so that stripLineTables() can tell copies of one. For modules that the optimiser has not
 * seen yet.
 */
void thinLineTables(llvm::Module &module);

/* Takes out of a module what line tables put in, so that it is as it would have been without them. True: something was
 * there. */
bool stripLineTables(llvm::Module &module);

} // namespace gpuperf
#endif
