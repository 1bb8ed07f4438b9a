/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes a kernel runnable on the CPU one basic block at a time, for the oracle in test/oracle.
 *
 * The kernel becomes one function `int32 step(frame, arguments, piece)`: it runs one piece (a basic block, or the part
 * of one between barriers) for one work-item and returns the piece that the work-item comes to next, or -1. Whatever
 * lives across pieces lies in the frame. So the machine in test/oracle/machine.c decides which work-items run when; the
 * code itself is the kernel's own, compiled by LLVM's backend for the host.
 *
 * Memory operations that have a record in the profile call oracle_access() and relatives with the record's number.
 */
#ifndef GPUPERF_PASSES_TOOL_ORACLE_STEPS_H
#define GPUPERF_PASSES_TOOL_ORACLE_STEPS_H

#include <memory>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"

#include "passes/build_profile.h"

namespace gpuperf
{

struct Steps {
    std::unique_ptr<llvm::Module> module; /* holds the function `entry` */
    std::string entry;
    std::vector<std::vector<uint32_t>> successors; /* per block, in the terminator's order */
    std::vector<uint8_t> ends;                     /* per piece: enum oracle_end (machine.h) */
    std::vector<uint32_t> barriers;                /* per piece that a barrier ends: the profile's instruction */
    uint64_t frameBytes = 0;
};

/*
 * Of the profile's copy of a kernel. False: `error` says what the oracle cannot run, or what the profile leaves out.
 * The layout is the host's.
 */
bool makeSteps(const BuiltKernel &kernel, const llvm::DataLayout &host, const std::string &triple, Steps &steps,
               std::string &error);

} // namespace gpuperf
#endif
