/* Takes out of a module what line tables put in, so that it is as it would have been without them. */
#ifndef GPUPERF_PLUGIN_LINE_TABLES_H
#define GPUPERF_PLUGIN_LINE_TABLES_H

#include "llvm/IR/Module.h"

namespace gpuperf {

/* True: something was there. */
bool stripLineTables(llvm::Module &module);

} // namespace gpuperf
#endif
