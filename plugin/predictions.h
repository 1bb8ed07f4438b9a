/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predictions of one compile: every kernel on every device, at the assumed launch and at other local sizes. */
#ifndef GPUPERF_PLUGIN_PREDICTIONS_H
#define GPUPERF_PLUGIN_PREDICTIONS_H

#include <memory>
#include <string>
#include <vector>

#include "model/predict.h"
#include "plugin/options.h"

namespace gpuperf
{

struct DeviceDelete {
    void operator()(gp_device *device) const { gp_device_free(device); }
};
struct ProfileDelete {
    void operator()(gp_profile *profile) const { gp_profile_free(profile); }
};
using DevicePtr = std::unique_ptr<gp_device, DeviceDelete>;
using ProfilePtr = std::unique_ptr<gp_profile, ProfileDelete>;

/* One kernel on one device. */
struct KernelPrediction {
    const gp_kernel *kernel = nullptr;
    const gp_device *device = nullptr;
    std::unique_ptr<gp_launch> launch; /* the assumed one */
    std::vector<std::unique_ptr<gp_prediction>>
        all;                                 /* the assumed one first; large, and so neither moved nor cleared */
    std::vector<gp_prediction *> candidates; /* the same, ranked */

    const gp_prediction &assumed() const { return *all.front(); } /* with bottlenecks */
};

/* A kernel that requires a work-group size which the device does not have: no launch of it will succeed; or whose
 * annotation states a launch that the device does not have. */
struct Unlaunchable {
    const gp_kernel *kernel;
    std::string why;
};

struct Predictions {
    std::vector<KernelPrediction> kernels;
    std::vector<std::string> failures; /* a sentence for each kernel that has no prediction */
    std::vector<Unlaunchable> unlaunchable;
    std::vector<Unlaunchable> misannotated;
    std::vector<std::string> mistakes; /* what is wrong with the user's assumptions: errors */
    std::vector<std::string> remarks;  /* what of them is for nothing here */
};

/* How much to predict. */
struct PredictionScope {
    bool candidates; /* other local sizes than the assumed one */
    bool allCauses;  /* bottlenecks for each candidate (the report), not only for the assumed launch */
    bool inHaste;    /* nobody waits for the analysis: of kernels that would take long, less is executed */
};

Predictions predictAll(const gp_profile &profile, const std::vector<DevicePtr> &devices, const Options &options,
                       const PredictionScope &scope);

} // namespace gpuperf
#endif
