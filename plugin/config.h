/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* config=FILE: the gpuperf.yaml that `gpuperf check` reads (config/config.h), as far as a compile goes by it. */
#ifndef GPUPERF_PLUGIN_CONFIG_H
#define GPUPERF_PLUGIN_CONFIG_H

#include <string>
#include <vector>

#include "model/predict.h"

namespace gpuperf
{

struct ConfigRule {
    std::string pattern; /* of kernels' names */
    std::string items;   /* "global=4096x4096:n=4096"; of a program's launches that which most work-items make */
    bool ignores[GP_CAUSE_COUNT] = {};
};

struct Config {
    std::string file; /* empty: there is none */
    std::vector<std::string> devices;
    std::vector<ConfigRule> rules;

    const ConfigRule *find(const char *kernel) const; /* the first that matches; null: none does */
};

/* False: `error` is one sentence with file and line. */
bool readConfig(const std::string &file, Config &config, std::string &error);

} // namespace gpuperf
#endif
