/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/findings.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gpuperf
{

namespace
{

/* What a device calls lanes that run together. */
const char *wholeWarps(const gp_device &device)
{
    if (gp_arch_is_amd(device.arch))
        return "with whole waves";
    return device.arch == GP_ARCH_CPU ? "with whole vectors" : "with whole warps";
}

/* The repaired state of each cause in two or three words, after "2.5x faster". */
const char *repairOf(gp_cause cause, const gp_device &device)
{
    switch (cause) {
    case GP_CAUSE_UNCOALESCED: return "if coalesced";
    case GP_CAUSE_BANK_CONFLICT: return "without conflicts";
    case GP_CAUSE_DIVERGENCE: return "without divergence";
    case GP_CAUSE_OCCUPANCY: return "at full occupancy";
    case GP_CAUSE_LOCAL_SIZE: return wholeWarps(device);
    case GP_CAUSE_ATOMICS: return "without contention";
    case GP_CAUSE_SPILL: return "without spills";
    case GP_CAUSE_LATENCY: return "with latencies hidden";
    case GP_CAUSE_BANDWIDTH: return "with unlimited bandwidth";
    case GP_CAUSE_THROUGHPUT: return "with a pipe as wide as FP32";
    case GP_CAUSE_TAIL: return "if the whole device were busy to the end";
    case GP_CAUSE_BARRIER: return "without waiting";
    case GP_CAUSE_CHANNEL_SKEW: return "if spread over all channels";
    default: return "if repaired";
    }
}

bool sameLine(const gp_profile &profile, uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    if (a >= profile.location_count || b >= profile.location_count)
        return false;
    const gp_location &left = profile.locations[a], &right = profile.locations[b];
    return left.line == right.line && std::strcmp(left.file, right.file) == 0;
}

/* Devices and kernels may find another line of those that belong together the costliest. */
bool namesLine(const gp_profile &profile, const Finding &finding, uint32_t location)
{
    return sameLine(profile, finding.location, location) ||
           std::any_of(finding.costs.begin(), finding.costs.end(), [&](const DeviceCost &cost) {
               const gp_bottleneck &b = *cost.bottleneck;
               return std::any_of(b.also, b.also + b.also_count,
                                  [&](uint32_t also) { return sameLine(profile, also, location); });
           });
}

Finding *findingAt(const gp_profile &profile, std::vector<Finding> &findings, uint32_t location, gp_cause cause,
                   bool repairable)
{
    for (Finding &finding : findings) {
        if (finding.cause == cause && finding.repairable == repairable && namesLine(profile, finding, location))
            return &finding;
    }
    return nullptr;
}

/* Several instructions of one line: the costliest speaks for the device. */
void addCost(Finding &finding, const DeviceCost &cost)
{
    for (DeviceCost &known : finding.costs) {
        if (known.device == cost.device) {
            if (gp_bottleneck_worth(cost.bottleneck) > gp_bottleneck_worth(known.bottleneck))
                known = cost;
            return;
        }
    }
    finding.costs.push_back(cost);
}

void addBottlenecks(const gp_profile &profile, const KernelPrediction &prediction, std::vector<Finding> &findings)
{
    for (uint32_t i = 0; i < prediction.assumed().bottleneck_count; i++) {
        const gp_bottleneck &bottleneck = prediction.assumed().bottlenecks[i];
        uint32_t location = bottleneck.location != GP_NONE ? bottleneck.location : prediction.kernel->location;
        Finding *known = findingAt(profile, findings, location, bottleneck.cause, bottleneck.repairable);
        if (!known) {
            findings.push_back(
                {bottleneck.cause, bottleneck.repairable, location, prediction.kernel, prediction.launch.get(), {}});
            known = &findings.back();
        }
        addCost(*known, {prediction.device, &bottleneck, prediction.assumed().known_share});
    }
}

void sortByCost(std::vector<Finding> &findings)
{
    for (Finding &finding : findings) {
        std::stable_sort(finding.costs.begin(), finding.costs.end(), [](const DeviceCost &a, const DeviceCost &b) {
            return gp_bottleneck_worth(a.bottleneck) > gp_bottleneck_worth(b.bottleneck);
        });
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding &a, const Finding &b) { return a.share() > b.share(); });
}

/* A line of an inlined function that several kernels share is told of once, for the kernel where it costs most. */
void mergeKernel(const gp_profile &profile, std::vector<Finding> &all, std::vector<Finding> &&ofKernel)
{
    sortByCost(ofKernel);
    for (Finding &finding : ofKernel) {
        Finding *known = findingAt(profile, all, finding.location, finding.cause, finding.repairable);
        if (!known)
            all.push_back(std::move(finding));
        else if (finding.share() > known->share())
            *known = std::move(finding);
    }
}

std::string times(double speedup)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.*fx", speedup < 10 ? 1 : 0, speedup);
    return text;
}

std::string percent(double share)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.0f%%", share * 100);
    return text;
}

/* Alone it costs less than what is shown of it. */
bool isHidden(const gp_bottleneck &b) { return b.speedup_beside > 0 && b.share < 0.005; }

/* "if 'x' fits L2" behind what parts it from the gain, unless the measure has said it. */
std::string condition(const char *behind, const gp_bottleneck &b)
{
    return b.only_then ? "" : std::string(behind) + b.beside;
}

/* "61% of predicted time on a100 (2.5x faster if coalesced)"; what others hide gains "once all else is fixed, too",
 * what a guess hides "if 'x' fits L2". */
std::string costOnFirst(const DeviceCost &cost)
{
    const gp_bottleneck &b = *cost.bottleneck;
    std::string device = cost.device->name, repaired = b.repaired ? b.repaired : repairOf(b.cause, *cost.device);
    if (isHidden(b))
        return "; on " + device + " " + times(b.speedup_beside) + " faster " + repaired + condition(", ", b);
    std::string beside = b.speedup_beside > 0 ? ", " + times(b.speedup_beside) + " " + b.beside : "";
    return "; " + percent(b.share) + " of predicted time on " + device + " (" + times(b.speedup) + " faster " +
           repaired + beside + ")";
}

/* Of further devices less. */
std::string costOnFurther(const DeviceCost &cost)
{
    const gp_bottleneck &b = *cost.bottleneck;
    if (isHidden(b))
        return std::string(", on ") + cost.device->name + " " + times(b.speedup_beside) + condition(" ", b);
    return ", " + percent(b.share) + " on " + cost.device->name + " (" + times(b.speedup) +
           (b.speedup_beside > 0 ? ", " + times(b.speedup_beside) + " " + b.beside : "") + ")";
}

} // namespace

std::string Finding::text(const gp_profile &profile) const
{
    const double worthNaming = 0.05; /* of the time on a further device */
    char also[300];
    gp_bottleneck_also(&profile, costs.front().bottleneck, also, sizeof also);
    std::string text = std::string(costs.front().bottleneck->measure) + also;
    /* Says what could not be known; there is no repaired state to compare with. */
    if (cause == GP_CAUSE_DATA_DEPENDENT)
        return text;
    for (const DeviceCost &cost : costs) {
        bool first = &cost == &costs.front();
        if (first || gp_bottleneck_worth(cost.bottleneck) >= worthNaming)
            text += first ? costOnFirst(cost) : costOnFurther(cost);
    }
    return text;
}

std::vector<Finding> findAll(const gp_profile &profile, const Predictions &predictions)
{
    std::vector<Finding> all;
    const std::vector<KernelPrediction> &kernels = predictions.kernels;
    for (size_t first = 0, next; first < kernels.size(); first = next) {
        std::vector<Finding> ofKernel;
        for (next = first; next < kernels.size() && kernels[next].kernel == kernels[first].kernel; next++)
            addBottlenecks(profile, kernels[next], ofKernel);
        mergeKernel(profile, all, std::move(ofKernel));
    }
    return all;
}

} // namespace gpuperf
