/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hands the passes what the front end knows: names, places, attributes, how the compile was asked for. */
#ifndef GPUPERF_PLUGIN_BUILD_OPTIONS_H
#define GPUPERF_PLUGIN_BUILD_OPTIONS_H

#include "passes/build_profile.h"
#include "plugin/session.h"

namespace gpuperf
{

BuildOptions buildOptions(const Session &session);

} // namespace gpuperf
#endif
