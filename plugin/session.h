/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One compile of one source: what the arguments ask for, what the source says, and what is done with the module. */
#ifndef GPUPERF_PLUGIN_SESSION_H
#define GPUPERF_PLUGIN_SESSION_H

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"

#include "passes/analysis/double_sites.h"
#include "passes/tidy/merged_places.h"
#include "passes/analysis/power_sites.h"
#include "passes/nvidia/power_divisors.h"
#include "plugin/fixes.h"
#include "plugin/predictions.h"
#include "plugin/preprocessed.h"
#include "plugin/source_facts.h"

namespace gpuperf
{

struct Session {
    clang::CompilerInstance &compiler;
    Options options;
    SourceFacts facts;
    std::vector<DevicePtr> devices;
    PowerSites powers;   /* CUDA's */
    DoubleSites doubles; /* CUDA's */
    MergedPlaces places;
    PowerDivisors divisors;             /* passes/nvidia/power_divisors.h */
    std::set<std::string> askForGroups; /* passes/analysis/work_items.h */
    std::unique_ptr<llvm::Module>
        twin; /* what is analysed instead of the module (inline_bodies.h); null: the module itself */
    Preprocessed preprocessed;
    Fixes fixes;                /* where warnings or the file of them are asked for */
    bool ownLineTables = false; /* the plugin switched them on: nobody else wants them in the output */

    explicit Session(clang::CompilerInstance &compiler) : compiler(compiler) {}
};

/* Loads the devices that the arguments, the environment or the target name. False: one of them could not be loaded, an
 * error said so. */
bool loadDevices(Session &session);

/* Writes the file that `preprocessed` asks for. */
void reportPreprocessed(Session &session);

/* Writes the file that `edits` asks for. */
void reportFixes(Session &session);

/* Analyses the optimised module, speaks, writes the files asked for and annotates. True: the module was changed. */
bool analyzeModule(Session &session, llvm::Module &module);

} // namespace gpuperf
#endif
