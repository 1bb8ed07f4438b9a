/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/remarks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

#include "model/compilers/loop_text.h"
#include "model/compilers/reachable_blocks.h"
#include "model/assume/describe.h"
#include "passes/ir/source_path.h"

namespace gpuperf
{

namespace
{

const char findingsPass[] = "gpuperf";
const char loopsPass[] = "gpuperf-loops";

/* Remarks want the line table's own location objects: found again by file, line and column. */
class Places
{
public:
    Places(llvm::Module &module, const gp_profile &profile);
    llvm::DiagnosticLocation find(uint32_t location, const llvm::Function &function) const;

private:
    using Key = std::tuple<std::string, unsigned, unsigned>;
    const gp_profile &profile;
    std::map<Key, const llvm::DILocation *> known;
};

Places::Places(llvm::Module &module, const gp_profile &profile) : profile(profile)
{
    for (llvm::Function &function : module) {
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            for (const llvm::DILocation *at = instruction.getDebugLoc(); at; at = at->getInlinedAt())
                known.insert({{sourcePath(*at), at->getLine(), at->getColumn()}, at});
        }
    }
}

/* Where no instruction is left at the place (a kernel's name, a loop's head): a location in the kernel's own scope. */
llvm::DiagnosticLocation Places::find(uint32_t index, const llvm::Function &function) const
{
    llvm::DISubprogram *scope = function.getSubprogram();
    if (index >= profile.location_count)
        return scope ? llvm::DiagnosticLocation(scope) : llvm::DiagnosticLocation();
    const gp_location &location = profile.locations[index];
    auto found = known.find({location.file, location.line, location.column});
    if (found != known.end())
        return llvm::DebugLoc(found->second);
    if (!scope)
        return {};
    llvm::DILocation *here = llvm::DILocation::get(function.getContext(), location.line, location.column, scope);
    return sourcePath(*here) == location.file ? llvm::DiagnosticLocation(llvm::DebugLoc(here))
                                              : llvm::DiagnosticLocation(scope);
}

using Remark = llvm::OptimizationRemarkAnalysis;
using llvm::ore::NV;

void emitFinding(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places,
                 const gp_profile &profile, const Finding &finding)
{
    emitter.emit([&]() {
        std::string name = gp_cause_name(finding.cause);
        Remark remark(findingsPass, name, places.find(finding.location, function), &function.getEntryBlock());
        remark << finding.text(profile) << " [gpuperf-" << NV("Cause", name) << "]";
        if (finding.advice()[0] != '\0')
            remark << "; " << finding.advice();
        return remark;
    });
}

std::string hotLoopOf(const gp_profile &profile, const KernelPrediction &prediction)
{
    const gp_prediction &p = prediction.assumed();
    if (p.hot_loop == GP_NONE)
        return "";
    char place[1024], text[1100];
    gp_print_place(&profile, prediction.kernel, prediction.kernel->loops[p.hot_loop].location, place, sizeof place);
    std::snprintf(text, sizeof text, "; %.0f%% of that in the loop at %s", p.hot_share * 100, place);
    return text;
}

/* "41.5 ms, 21.7 to 124"; "at least 41.5 ms" where a loop never ends. */
std::string timeOf(const gp_prediction &p)
{
    struct Unit {
        double ns;
        const char *name;
    };
    static const Unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    const Unit *unit = units;
    while (unit->ns > 1 && p.time_ns < unit->ns)
        unit++;
    char text[100];
    if (p.endless > 0) {
        std::snprintf(text, sizeof text, "at least %.3g %s", p.time_ns / unit->ns, unit->name);
        return text;
    }
    std::snprintf(text, sizeof text, "%.3g %s, %.3g to %.3g", p.time_ns / unit->ns, unit->name,
                  p.time_ns_low / unit->ns, p.time_ns_high / unit->ns);
    return text;
}

std::string headroomOf(const gp_prediction &p)
{
    char text[60];
    if (p.headroom.ideal_ns <= 0)
        return "";
    std::snprintf(text, sizeof text, "; headroom %.3gx%s", p.headroom.headroom,
                  p.headroom.at_roof ? ", at its roof" : "");
    return text;
}

void emitPrediction(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places,
                    const gp_profile &profile, const KernelPrediction &prediction)
{
    emitter.emit([&]() {
        const gp_prediction &p = prediction.assumed();
        char launch[512], numbers[240];
        gp_launch_describe(prediction.kernel, prediction.launch.get(), launch, sizeof launch);
        std::snprintf(numbers, sizeof numbers,
                      " (%s), occupancy %.0f%%, confidence %.0f%%, known %.0f%%, limited by %s", timeOf(p).c_str(),
                      p.occupancy * 100, p.confidence * 100, p.known_share * 100, gp_limit_told(&p));
        Remark remark(findingsPass, "Prediction", places.find(prediction.kernel->location, function),
                      &function.getEntryBlock());
        remark << "kernel " << NV("Kernel", llvm::StringRef(prediction.kernel->name)) << " on "
               << NV("Device", llvm::StringRef(prediction.device->name)) << ", "
               << NV("Launch", llvm::StringRef(launch)) << ": "
               << NV("Cycles", static_cast<unsigned long long>(p.cycles)) << " cycles" << llvm::StringRef(numbers)
               << llvm::StringRef(hotLoopOf(profile, prediction)) << llvm::StringRef(headroomOf(p));
        return remark;
    });
}

/* What was too much to be looked at in full. */
void emitApproximation(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places,
                       const KernelPrediction &prediction)
{
    bool truncated = prediction.kernel->truncated, cutOff = prediction.assumed().cut_off;
    if (!truncated && !cutOff)
        return;
    emitter.emit([&]() {
        Remark remark(findingsPass, "Approximation", places.find(prediction.kernel->location, function),
                      &function.getEntryBlock());
        remark << "kernel " << NV("Kernel", llvm::StringRef(prediction.kernel->name))
               << " is approximated, half of its time is known at most: ";
        if (truncated)
            remark << "it is too large to be kept whole; some calls are not followed, or instructions that decide no "
                      "address and no branch are put together";
        if (cutOff)
            remark << (truncated ? "; " : "") << "a warp is not followed to its end";
        return remark;
    });
}

void emitLoop(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places,
              const gp_kernel &kernel, uint32_t loop, const gp_launch *launch)
{
    emitter.emit([&]() {
        gp_text text = {};
        gp_describe_loop(&kernel, loop,
                         launch ? launch->assumed_trip_count : static_cast<uint32_t>(GP_DEFAULT_TRIP_COUNT), &text);
        Remark remark(loopsPass, "LoopBound", places.find(kernel.loops[loop].location, function),
                      &function.getEntryBlock());
        remark << llvm::StringRef(text.data, text.length);
        gp_text_free(&text);
        return remark;
    });
}

/* What is counted in place of a call that could not be followed, or of inline assembly. */
std::string describeCall(const gp_kernel &kernel, const gp_inst &inst)
{
    std::string name = kernel.callees[inst.record];
    if (inst.cost == GP_CLASS_CALL)
        return "call of '" + name + "' is not known: an estimate of its instructions is counted";
    return name + ": what it does is not known; counted as " + std::to_string(inst.repeat) + " integer " +
           (inst.repeat == 1 ? "instruction" : "instructions") + ", an estimate";
}

/* One for a place and a name, however often the compiler has copied the call; none where nobody comes to. */
void emitCalls(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places,
               const gp_kernel &kernel)
{
    std::set<std::pair<uint32_t, std::string>> told;
    std::unique_ptr<bool, decltype(&free)> taken(gp_blocks_taken(&kernel), free);
    auto emit = [&](const gp_inst &inst) {
        if (inst.op == GP_OP_CALL && told.insert({inst.location, kernel.callees[inst.record]}).second)
            emitter.emit([&]() {
                Remark remark(findingsPass, "UnknownCall", places.find(inst.location, function),
                              &function.getEntryBlock());
                remark << describeCall(kernel, inst);
                return remark;
            });
    };
    for (uint32_t b = 0; b < kernel.block_count; b++)
        if (!taken || taken.get()[b])
            std::for_each_n(&kernel.insts[kernel.blocks[b].inst], kernel.blocks[b].inst_count, emit);
}

llvm::Function *functionOf(llvm::Module &module, const gp_kernel &kernel)
{
    llvm::Function *function = module.getFunction(kernel.symbol);
    return function && !function->isDeclaration() ? function : nullptr;
}

void emitForKernel(llvm::Module &module, const gp_profile &profile, const gp_kernel &kernel, const Places &places,
                   const Predictions &predictions, const std::vector<Finding> &findings)
{
    llvm::Function *function = functionOf(module, kernel);
    if (!function)
        return;
    llvm::OptimizationRemarkEmitter emitter(function);
    const gp_launch *launch = nullptr;
    for (const KernelPrediction &prediction : predictions.kernels) {
        if (prediction.kernel == &kernel && prediction.launch)
            launch = prediction.launch.get();
        if (prediction.kernel == &kernel && prediction.assumed().feasible)
            emitPrediction(emitter, *function, places, profile, prediction);
        if (prediction.kernel == &kernel && prediction.assumed().feasible)
            emitApproximation(emitter, *function, places, prediction);
    }
    for (const Finding &finding : findings) {
        if (finding.kernel == &kernel)
            emitFinding(emitter, *function, places, profile, finding);
    }
    emitCalls(emitter, *function, places, kernel);
    for (uint32_t i = 0; i < kernel.loop_count; i++)
        emitLoop(emitter, *function, places, kernel, i, launch);
}

} // namespace

bool areRemarksWanted(const llvm::Module &module)
{
    llvm::LLVMContext &context = module.getContext();
    return llvm::OptimizationRemarkEmitter::allowExtraAnalysis(context, findingsPass) ||
           llvm::OptimizationRemarkEmitter::allowExtraAnalysis(context, loopsPass);
}

void emitRemarks(llvm::Module &module, const gp_profile &profile, const Predictions &predictions,
                 const std::vector<Finding> &findings)
{
    if (!areRemarksWanted(module))
        return;
    Places places(module, profile);
    for (uint32_t i = 0; i < profile.kernel_count; i++)
        emitForKernel(module, profile, profile.kernels[i], places, predictions, findings);
}

} // namespace gpuperf
