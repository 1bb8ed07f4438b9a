/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The plugin's arguments: -fplugin-arg-gpuperf-KEY=VALUE.
 *
 *   device=A[,B]      devices of the database to predict for; default: GPUPERF_DEVICE, else from the target, else a100
 *   annotate=on|off   metadata and embedded profile in the compiled module; default on
 *   assume=KERNEL:global=XxYxZ:local=XxYxZ:NAME=NUMBER...   the launch to predict for; may repeat; KERNEL * is every
 * kernel threshold=PERCENT what a cause must cost before it is warned about; default 20 warn=NAME[,NAME]  default, all,
 * none or a cause: what any of them names report=FILE       predictions of all candidate local sizes as JSON
 *   profile=FILE      the profile beside the compiled module
 *   preprocessed=FILE what the preprocessor read that another compiler may read otherwise (preprocessed.h)
 *   edits=FILE        changes of the source that may make its kernels faster (fixes.h)
 *   config=FILE       gpuperf.yaml: devices, launches and ignored causes where no other argument says (config.h)
 *   model=auto|throughput|mwp-cwp|trace
 *   builtins=early|late   when builtin functions that are arithmetic become it: early changes the code, for compiles
 * for the profile's sake; default late unroll=llvm|nvidia    whose rules say how far loops are unrolled whose
 * iterations the launch decides, and which divisors are known to be powers of two; nvidia changes the code, too;
 * default llvm
 */
#ifndef GPUPERF_PLUGIN_OPTIONS_H
#define GPUPERF_PLUGIN_OPTIONS_H

#include <string>
#include <vector>

#include "hwdb/hwdb.h"
#include "model/predict.h"
#include "plugin/config.h"

namespace gpuperf
{

struct Assumption {
    std::string kernel; /* "*": every kernel */
    std::string items;  /* "global=4096x4096:n=4096" */
};

struct Options {
    std::vector<std::string> devices; /* empty: the default */
    bool annotate = true;
    bool builtinsFirst = false;
    bool unrollsAsNvidia = false;
    std::vector<Assumption> assumptions;
    double threshold = 100 * GP_TOLD_FROM; /* percent of the predicted time */
    enum class Warns {
        Never,
        IfRepairable,
        Always
    } warns[GP_CAUSE_COUNT] = {}; /* IfRepairable: findings that the way the source is written causes */
    enum class Severity { AsOthers, Warning, Error } severity[GP_CAUSE_COUNT] = {}; /* AsOthers: -Werror decides */
    std::string reportFile, profileFile, preprocessedFile, editsFile, configFile;
    Config config; /* read from configFile by the caller */
    gp_model model = GP_MODEL_AUTO;

    Options();
    bool mayWarn() const; /* about any cause */
};

/* False: `error` is one sentence that lists what is valid. */
bool parseOptions(const std::vector<std::string> &arguments, Options &options, std::string &error);

/* "uncoalesced, bank-conflict, ...": all there are. */
std::string causeNames();

/*
 * -Wno-gpuperf-CAUSE, -Werror=gpuperf and the like, as they stand without -W; of others nothing. The later one holds.
 * What names no cause is a sentence in `unknown` where it is to switch off; else it asks for what will never come, is
 * `error`, and false is returned.
 */
bool applyWarningFlags(const std::vector<std::string> &flags, Options &options, std::vector<std::string> &unknown,
                       std::string &error);

/* Splits at a separator; an empty text has no parts. */
std::vector<std::string> split(const std::string &text, char separator);

} // namespace gpuperf
#endif
