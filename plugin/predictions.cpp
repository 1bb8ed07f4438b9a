/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/predictions.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "model/assume/array_bounds.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

namespace gpuperf
{

namespace
{

/*
 * Local sizes annotated for a kernel and device beside the assumed one: seven, since a program that reads them has to
 * choose among some, and as many more, up to twelve, as one or two hundredths of what clang takes allow. Clang takes
 * some 20 us for an instruction of a profile, and for its own start as long as for some thousand of them; a prediction
 * some 20 ns for each unit of effort (model/predict.h), and as long as for two thousand of them besides.
 */
const size_t leastAnnotated = 7;
const double mostAnnotated = 12, compiledPerStart = 1500, effortPerPrediction = 2000, effortPerCompiled = 15;

/* In haste, a kernel's prediction for the assumed launch on a device, whatever others there are: a twentieth of what
 * clang takes, where one warp each of two groups does not take more. */
const double hastyEffortPerCompiled = 60;

struct PredictorDelete {
    void operator()(gp_predictor *predictor) const { gp_predictor_free(predictor); }
};

bool startsWith(const char *text, const char *prefix) { return std::strncmp(text, prefix, std::strlen(prefix)) == 0; }

/* Whether the code under analysis is what the device would run. Empty triple in the database: the host. */
bool isForeign(const gp_profile &profile, const gp_device &device)
{
    if (device.proxy_target)
        return true;
    if (device.triple[0] == '\0')
        return startsWith(profile.triple, "nvptx") || startsWith(profile.triple, "amdgcn") ||
               startsWith(profile.triple, "spir");
    std::string arch = std::string(device.triple).substr(0, std::string(device.triple).find('-'));
    return !startsWith(profile.triple, arch.c_str()) || std::strcmp(profile.cpu, device.cpu) != 0;
}

bool isAssumptionFor(const Assumption &assumption, const gp_kernel &kernel)
{
    return assumption.kernel == "*" || assumption.kernel == kernel.name || assumption.kernel == kernel.symbol;
}

bool isOfTheLaunch(const std::string &name)
{
    return name == "global" || name == "local" || name == "trip" || name == "caches" || name == "dynamic";
}

std::string nameOfItem(const std::string &item) { return item.substr(0, item.find('=')); }

/* What holds for several kernels holds for those that have the argument. */
std::string itemsThatFit(const std::string &items, const gp_kernel &kernel)
{
    std::string kept;
    for (const std::string &item : split(items, ':')) {
        std::string name = nameOfItem(item);
        if (isOfTheLaunch(name) || gp_launch_has_argument(&kernel, name.c_str()))
            kept += (kept.empty() ? "" : ":") + item;
    }
    return kept;
}

std::string itemsFor(const Assumption &assumption, const gp_kernel &kernel)
{
    return assumption.kernel == "*" ? itemsThatFit(assumption.items, kernel) : assumption.items;
}

/* By the configuration, then by the arguments, which go before it. */
bool assumeByConfig(const gp_kernel &kernel, const Options &options, gp_launch &launch, gp_error &error)
{
    const ConfigRule *rule = options.config.find(kernel.name);
    std::string items = rule ? itemsThatFit(rule->items, kernel) : "";
    return items.empty() || gp_launch_assume(&kernel, &launch, items.c_str(), &error);
}

bool assume(const gp_kernel &kernel, const Options &options, gp_launch &launch, gp_error &error)
{
    for (const Assumption &assumption : options.assumptions) {
        if (!isAssumptionFor(assumption, kernel))
            continue;
        std::string items = itemsFor(assumption, kernel);
        if (!items.empty() && !gp_launch_assume(&kernel, &launch, items.c_str(), &error))
            return false;
    }
    return true;
}

/* The name that is meant by a slip of the pen; empty: none is near. */
std::string nearestOf(const std::string &name, const std::vector<std::string> &names)
{
    const unsigned slip = 2;
    for (const std::string &other : names)
        if (other != name && name.size() > slip && llvm::StringRef(name).edit_distance(other, true, slip) <= slip)
            return other;
    return "";
}

std::vector<std::string> kernelNames(const gp_profile &profile)
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < profile.kernel_count; i++)
        names.push_back(profile.kernels[i].name);
    return names;
}

/* Flags may be several files': a kernel that is not here may be another's. Told in any case; what is nearly a name of
 * this file is a mistake. */
void checkKernelName(const gp_profile &profile, const Assumption &assumption, Predictions &all)
{
    for (uint32_t i = 0; i < profile.kernel_count; i++)
        if (isAssumptionFor(assumption, profile.kernels[i]))
            return;
    std::vector<std::string> names = kernelNames(profile);
    std::string near = nearestOf(assumption.kernel, names);
    std::string sentence =
        "'assume' names kernel '" + assumption.kernel + "', which is not here; there are " + llvm::join(names, ", ");
    (near.empty() ? all.remarks : all.mistakes).push_back(sentence);
}

/* Likewise an argument that `*` assumes something about. */
void checkItemNames(const gp_profile &profile, const Assumption &assumption, Predictions &all)
{
    for (const std::string &item : split(assumption.items, ':')) {
        std::string name = nameOfItem(item);
        bool found = isOfTheLaunch(name);
        for (uint32_t i = 0; i < profile.kernel_count && !found; i++)
            found = gp_launch_has_argument(&profile.kernels[i], name.c_str());
        if (!found)
            all.remarks.push_back("'assume' of '*' states '" + name + "', which no kernel here has");
    }
}

void checkAssumptions(const gp_profile &profile, const Options &options, Predictions &all)
{
    for (const Assumption &assumption : options.assumptions) {
        if (assumption.kernel == "*")
            checkItemNames(profile, assumption, all);
        else
            checkKernelName(profile, assumption, all);
    }
}

double compiledFor(const gp_profile &profile, const gp_kernel &kernel)
{
    return compiledPerStart / profile.kernel_count + kernel.inst_count;
}

size_t affordableCandidates(const gp_profile &profile, const KernelPrediction &result)
{
    double affordable = effortPerCompiled * compiledFor(profile, *result.kernel) /
                        (effortPerPrediction + double(result.assumed().effort));
    return static_cast<size_t>(std::min(affordable, mostAnnotated));
}

using Size = std::array<uint32_t, 3>;

/* As many as are affordable: of a list of sizes, some of each kind. */
std::vector<Size> otherSizes(const KernelPrediction &result, size_t affordable)
{
    if (affordable == 0)
        return {};
    uint32_t sizes[GP_MAX_CANDIDATES][3];
    uint32_t count = gp_candidates(result.device, result.kernel, result.launch.get(), true, sizes, GP_MAX_CANDIDATES);
    std::vector<Size> others;
    for (uint32_t i = 0; i < count; i++) {
        if (!std::equal(sizes[i], sizes[i] + 3, result.launch->local))
            others.push_back({sizes[i][0], sizes[i][1], sizes[i][2]});
    }
    std::vector<Size> some(std::min(others.size(), affordable));
    for (size_t i = 0; i < some.size(); i++)
        some[i] = others[i * others.size() / some.size()];
    return some;
}

/* Cycles of the assumed launch over what a look at its groups alone tells; 1: nothing is known of it. */
double sharingFactor(gp_predictor *predictor, const KernelPrediction &result, const gp_predict_options &alone)
{
    std::unique_ptr<gp_prediction> prediction(new gp_prediction);
    bool told = result.assumed().feasible &&
                gp_predict(predictor, result.device, result.launch.get(), &alone, prediction.get(), nullptr) &&
                prediction->cycles > 0;
    return told ? result.assumed().cycles / prediction->cycles : 1;
}

void predictSizes(gp_predictor *predictor, KernelPrediction &result, const std::vector<Size> &sizes,
                  const gp_predict_options &how, double factor)
{
    auto launch = std::make_unique<gp_launch>(*result.launch);
    for (const Size &size : sizes) {
        std::copy(size.begin(), size.end(), launch->local);
        std::unique_ptr<gp_prediction> prediction(new gp_prediction);
        if (!gp_predict(predictor, result.device, launch.get(), &how, prediction.get(), nullptr) ||
            !prediction->feasible)
            continue;
        prediction->cycles *= factor;
        prediction->time_ns *= factor;
        result.all.push_back(std::move(prediction));
    }
}

/* All sizes closely, or as many as are affordable; where fewer than the least are, that many by their groups alone,
 * whose times are taken in proportion to the assumed one's. */
void predictCandidates(gp_predictor *predictor, KernelPrediction &result, const gp_profile &profile,
                       gp_predict_options how, const PredictionScope &scope)
{
    how.bottlenecks = scope.allCauses;
    size_t count = scope.allCauses ? gp_endurable_candidates(result.assumed().effort, 1, profile.kernel_count)
                                   : affordableCandidates(profile, result);
    if (scope.allCauses || count >= leastAnnotated) {
        predictSizes(predictor, result, otherSizes(result, count), how, 1);
        return;
    }
    how.lone_groups = true;
    if (scope.inHaste)
        how.affordable = effortPerCompiled * compiledFor(profile, *result.kernel) / leastAnnotated;
    predictSizes(predictor, result, otherSizes(result, leastAnnotated), how, sharingFactor(predictor, result, how));
}

/* Whether the user chose the kernel's local size: then an impossible one is a mistake of theirs. */
bool asksForLocal(const Options &options, const gp_kernel &kernel)
{
    return std::any_of(options.assumptions.begin(), options.assumptions.end(), [&](const Assumption &assumption) {
        return assumption.kernel != "*" && isAssumptionFor(assumption, kernel) &&
               assumption.items.find("local=") != std::string::npos;
    });
}

/* The model's sentences about a launch name the kernel themselves. */
std::string withoutPrediction(const gp_kernel &kernel, const gp_device &device, const std::string &why)
{
    bool named = why.compare(0, 8, "kernel '") == 0;
    return std::string("no prediction") + (named ? "" : std::string(" of kernel '") + kernel.name + "'") + " for " +
           device.name + ": " + why;
}

bool requiresTooMuch(const gp_kernel &kernel, const gp_device &device)
{
    double items = 1;
    for (uint32_t size : kernel.stated.required_local)
        items *= size;
    return items > device.max_threads_per_block.value;
}

std::string aboutRequired(const gp_kernel &kernel, const std::string &why)
{
    const uint32_t *size = kernel.stated.required_local;
    return "required work-group of " + std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
           std::to_string(size[2]) + " work-items: " + why;
}

std::string tooMuch(const gp_kernel &kernel, const gp_device &device)
{
    char most[20];
    std::snprintf(most, sizeof most, "%.0f", device.max_threads_per_block.value);
    return aboutRequired(kernel, device.name + std::string(" takes ") + most + " at most, a launch will fail");
}

/* "... which has 256: it is made for smaller work-groups": which it never has. Of all devices that say so the first is
 * told. */
void addOverrun(const gp_kernel &kernel, const gp_prediction &prediction, Predictions &all)
{
    bool told = std::any_of(all.unlaunchable.begin(), all.unlaunchable.end(),
                            [&](const Unlaunchable &other) { return other.kernel == &kernel; });
    std::string why = prediction.why;
    if (!told)
        all.unlaunchable.push_back({&kernel, aboutRequired(kernel, why.substr(0, why.rfind(':')))});
}

/* No prediction: whose local size the annotation states can state another one. */
void addFailure(const gp_kernel &kernel, const std::string &why, Predictions &all)
{
    if (kernel.stated.default_local[0] != 0)
        all.misannotated.push_back({&kernel, why});
    else
        all.failures.push_back(why);
}

/* Whether it is nobody's choice but ours. */
bool isLocalAssumed(const KernelPrediction &result)
{
    return !result.launch->local_stated && result.kernel->stated.required_local[0] == 0 &&
           result.kernel->stated.default_local[0] == 0;
}

/* Groups as large as the assumed one, cut otherwise, then smaller ones: an array of 4 rows of 72 is made for 64x4, not
 * for 32x8. */
class OtherGroups
{
public:
    bool take(const gp_kernel &kernel, const gp_device &device, gp_launch &launch)
    {
        if (shapes.empty())
            list(kernel, device, launch);
        if (next == shapes.size())
            return gp_launch_halve_group(&launch);
        std::copy(shapes[next].begin(), shapes[next].end(), launch.local);
        next++;
        return true;
    }

private:
    void list(const gp_kernel &kernel, const gp_device &device, const gp_launch &launch)
    {
        uint32_t candidates[GP_MAX_CANDIDATES][3];
        uint32_t count = gp_candidates(&device, &kernel, &launch, true, candidates, GP_MAX_CANDIDATES);
        uint64_t most = gp_launch_group_items(&launch), along[3];
        gp_array_groups(&kernel, along);
        for (uint32_t i = 0; i < count; i++)
            if (uint64_t{candidates[i][0]} * candidates[i][1] * candidates[i][2] <= most &&
                candidates[i][0] <= along[0] && candidates[i][1] <= along[1] && candidates[i][2] <= along[2])
                shapes.push_back({candidates[i][0], candidates[i][1], candidates[i][2]});
        std::stable_sort(shapes.begin(), shapes.end(), [](const Shape &a, const Shape &b) {
            return uint64_t{a[0]} * a[1] * a[2] > uint64_t{b[0]} * b[1] * b[2];
        });
    }

    using Shape = std::array<uint32_t, 3>;
    std::vector<Shape> shapes;
    size_t next = 0;
};

/* A range or a group too large for the kernel's arrays is none that anybody would launch. False: it is not ours to
 * choose. */
bool assumeLess(KernelPrediction &result, const gp_prediction &prediction, OtherGroups &groups)
{
    if (prediction.overruns_range != GP_NONE &&
        gp_launch_halve_range(result.kernel, result.launch.get(), prediction.overruns_range))
        return true;
    return isLocalAssumed(result) && groups.take(*result.kernel, *result.device, *result.launch);
}

/* For the assumed launch, or the largest smaller one that can be. */
bool predictAssumed(gp_predictor *predictor, KernelPrediction &result, const gp_predict_options &how, gp_error &error)
{
    gp_prediction *prediction = result.all.front().get();
    OtherGroups groups;
    bool done;
    do
        done = gp_predict(predictor, result.device, result.launch.get(), &how, prediction, &error);
    while (done && prediction->overruns && assumeLess(result, *prediction, groups));
    return done;
}

void predictKernel(gp_predictor *predictor, KernelPrediction result, const gp_profile &profile, const Options &options,
                   const PredictionScope &scope, Predictions &all)
{
    gp_predict_options how = {};
    if (scope.inHaste)
        how.affordable = hastyEffortPerCompiled * compiledFor(profile, *result.kernel);
    how.model = options.model;
    how.bottlenecks = true;
    how.quick = !scope.allCauses;
    how.foreign_target = isForeign(profile, *result.device);
    gp_error error = {};
    result.all.emplace_back(new gp_prediction);
    if (!predictAssumed(predictor, result, how, error)) {
        std::string why = withoutPrediction(*result.kernel, *result.device, error.text);
        if (asksForLocal(options, *result.kernel))
            all.mistakes.push_back(why);
        else if (requiresTooMuch(*result.kernel, *result.device))
            all.unlaunchable.push_back({result.kernel, tooMuch(*result.kernel, *result.device)});
        else
            addFailure(*result.kernel, why, all);
        return;
    }
    if (result.assumed().overruns && result.kernel->stated.required_local[0] != 0)
        addOverrun(*result.kernel, result.assumed(), all);
    else if (!result.assumed().feasible)
        addFailure(*result.kernel, withoutPrediction(*result.kernel, *result.device, result.assumed().why), all);
    if (scope.candidates)
        predictCandidates(predictor, result, profile, how, scope);
    for (const std::unique_ptr<gp_prediction> &prediction : result.all)
        result.candidates.push_back(prediction.get());
    gp_predictions_rank_each(result.candidates.data(), result.candidates.size());
    all.kernels.push_back(std::move(result));
}

void predictOnDevices(const gp_profile &profile, const gp_kernel &kernel, const std::vector<DevicePtr> &devices,
                      const Options &options, const PredictionScope &scope, Predictions &all)
{
    auto launch = std::make_unique<gp_launch>();
    gp_launch_default(&kernel, launch.get());
    gp_error error = {};
    if (!assumeByConfig(kernel, options, *launch, error)) {
        all.mistakes.push_back("in '" + options.config.file + "' for kernel '" + kernel.name + "': " + error.text);
        return;
    }
    if (!assume(kernel, options, *launch, error)) {
        all.mistakes.push_back(std::string("in 'assume' for kernel '") + kernel.name + "': " + error.text);
        return;
    }
    std::unique_ptr<gp_predictor, PredictorDelete> predictor(gp_predictor_new(&profile, &kernel));
    for (const DevicePtr &device : devices) {
        KernelPrediction result;
        result.kernel = &kernel;
        result.device = device.get();
        result.launch = std::make_unique<gp_launch>(*launch);
        if (predictor)
            predictKernel(predictor.get(), std::move(result), profile, options, scope, all);
        else
            all.failures.push_back(withoutPrediction(kernel, *device, "out of memory"));
    }
}

} // namespace

Predictions predictAll(const gp_profile &profile, const std::vector<DevicePtr> &devices, const Options &options,
                       const PredictionScope &scope)
{
    Predictions all;
    checkAssumptions(profile, options, all);
    for (uint32_t i = 0; i < profile.kernel_count; i++)
        predictOnDevices(profile, profile.kernels[i], devices, options, scope, all);
    return all;
}

} // namespace gpuperf
