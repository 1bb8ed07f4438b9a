/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From optimised LLVM IR to the kernel profile (model/profile/profile.h). This is the door of passes/: everything else
 * in the folder serves the one function here.
 */
#ifndef GPUPERF_PASSES_BUILD_PROFILE_H
#define GPUPERF_PASSES_BUILD_PROFILE_H

#include <climits>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace llvm
{
class BasicBlock;
class Function;
class Instruction;
class Module;
} // namespace llvm
struct gp_kernel;
struct gp_location;

namespace gpuperf
{

class DoubleSites;
class MergedPlaces;
class PowerDivisors;
class PowerSites;

/* A place in the source that the compiler's front end knows better than the line tables. */
struct SourcePlace {
    std::string file;
    unsigned line = 0, column = 0;
};

/* An integer within a structure that is passed by value. */
struct ArgumentMember {
    std::string name; /* box.x, dims[2] */
    bool isSigned;
};
using ArgumentMembers = std::map<uint64_t /* bytes from the start */, ArgumentMember>;

/* A finished kernel beside the IR that it was made from: for tools that compare the two. */
struct BuiltKernel {
    const gp_kernel &kernel;
    const llvm::Function &original;
    llvm::Function &function;                              /* the private copy, calls followed */
    const std::vector<const llvm::Instruction *> &origins; /* per instruction of the profile; null: of none */
    const std::vector<llvm::BasicBlock *> &blocks;         /* per block of the profile */
};

struct BuildOptions {
    unsigned maxInstructions =
        200000; /* per kernel, calls followed; beyond that it is truncated (gp_kernel.truncated) */
    unsigned maxFollowed =
        UINT_MAX; /* all kernels together: instructions that following calls may add; where they would be more, each
                     kernel takes at most an even share of what those before it have left, and is truncated beyond */
    bool widensLocalLoads = true; /* the machine reads neighbours in work-group memory at once, as NVIDIA's do since
                                     Fermi (passes/nvidia/local_arrays.h); for AMD's, LLVM says which */
    bool joinsWords = false; /* its loads and stores of global memory may be of several words that are aligned as one,
                                as AMD's are since GCN (LLVM's AMDGPU usage guide, unaligned access mode) */
    bool packsHalfs = true;  /* the machine has the packed instructions that its target's code has (packsHalfs()): not
                                where the target stands for an older one */
    bool tablesAsNvcc =
        false; /* what LLVM makes constant memory of without being asked for, nvcc leaves in global memory; of OpenCL,
                  whose __constant arrays are no different in IR, that is not known */
    bool looseDivisions = false; /* divisions and roots in single precision are not correctly rounded: OpenCL's without
                                    -cl-fp32-correctly-rounded-divide-sqrt */
    std::set<std::string> askForGroups; /* of the module as it was (passes/analysis/work_items.h) */
    std::string producer, source, language;
    unsigned optLevel = 2;
    bool leftToDrivers = false;              /* gp_profile's */
    const PowerSites *powers = nullptr;      /* CUDA's, where the module was seen before it was optimised */
    const DoubleSites *doubles = nullptr;    /* likewise */
    const MergedPlaces *places = nullptr;    /* likewise */
    const PowerDivisors *divisors = nullptr; /* of code that NVIDIA's compilers may still compile: likewise */

    /* What only the front end knows, by the kernel's symbol in the module. All optional. */
    std::map<std::string, std::vector<std::string>> parameterNames;
    std::map<std::string, std::vector<bool>> parameterRecords;            /* whether it points to a struct */
    std::map<std::string, std::vector<ArgumentMembers>> parameterMembers; /* empty: no structure passed by value */
    std::map<std::string, std::string>
        assumptions; /* of __attribute__((annotate("gpuperf: ..."))): "global=4096x4096 n=4096" */
    std::map<std::string, std::string>
        kernelNames; /* as the source calls it; default: demangled symbol without parameters */
    std::map<std::string, SourcePlace> kernelPlaces;
    std::function<bool(const std::string &file)>
        isSystemHeader; /* optional: what is inlined from such a file counts for the line that called it */

    std::function<std::string(const gp_location &)>
        arrayAt; /* optional: the array that is indexed at a place of the source; empty: none */

    std::function<void(const BuiltKernel &)> built; /* optional: sees each kernel while its copy is alive */
};

/*
 * All kernels of the module, encoded in the binary form (model/profile/profile_binary.h), whose reader checks them. No
 * words: the module has no kernel. False: `error` is one sentence. Never changes the module.
 */
bool buildProfile(llvm::Module &module, const BuildOptions &options, std::vector<uint32_t> &words, std::string &error);

} // namespace gpuperf
#endif
