/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The name of a source file as the user would write it. */
#ifndef GPUPERF_PASSES_SOURCE_PATH_H
#define GPUPERF_PASSES_SOURCE_PATH_H

#include <string>

namespace llvm
{
class DILocation;
}

namespace gpuperf
{

/*
 * Line tables split a name into a directory and the rest wherever it shares a prefix with the working directory. The
 * main file gets back the name that the compiler was given, a file of the working directory is relative, any other
 * whole.
 */
std::string sourcePath(const llvm::DILocation &location);

} // namespace gpuperf
#endif
