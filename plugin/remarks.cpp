#include "plugin/remarks.h"

#include <cstdio>
#include <map>
#include <tuple>

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

#include "passes/source_path.h"

namespace gpuperf {

namespace {

const char findingsPass[] = "gpuperf";
const char loopsPass[] = "gpuperf-loops";

/* Remarks want the line table's own location objects: found again by file, line and column. */
class Places {
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
    return sourcePath(*here) == location.file ? llvm::DiagnosticLocation(llvm::DebugLoc(here)) : llvm::DiagnosticLocation(scope);
}

using Remark = llvm::OptimizationRemarkAnalysis;
using llvm::ore::NV;

void emitFinding(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places, const Finding &finding)
{
    emitter.emit([&]() {
        std::string name = gp_cause_name(finding.cause);
        Remark remark(findingsPass, name, places.find(finding.location, function), &function.getEntryBlock());
        remark << finding.text() << " [gpuperf-" << NV("Cause", name) << "]";
        if (finding.advice()[0] != '\0')
            remark << "; " << finding.advice();
        return remark;
    });
}

void emitPrediction(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places,
                    const KernelPrediction &prediction)
{
    emitter.emit([&]() {
        const gp_prediction &p = prediction.assumed;
        char launch[512], numbers[200];
        gp_launch_describe(prediction.kernel, prediction.launch.get(), launch, sizeof launch);
        std::snprintf(numbers, sizeof numbers, " (%.4g us), occupancy %.0f%%, limited by %s, confidence %.0f%%", p.time_ns / 1000,
                      p.occupancy * 100, gp_limiter_name(p.limiter), p.confidence * 100);
        Remark remark(findingsPass, "Prediction", places.find(prediction.kernel->location, function), &function.getEntryBlock());
        remark << "kernel " << NV("Kernel", llvm::StringRef(prediction.kernel->name)) << " on "
               << NV("Device", llvm::StringRef(prediction.device->name)) << ", " << NV("Launch", llvm::StringRef(launch)) << ": "
               << NV("Cycles", static_cast<unsigned long long>(p.cycles)) << " cycles" << llvm::StringRef(numbers);
        return remark;
    });
}

std::string describeLoop(const gp_kernel &kernel, const gp_loop &loop)
{
    std::string text = "loop bound found by ";
    text += gp_bound_name(static_cast<gp_bound>(loop.bound));
    if (loop.bound == GP_BOUND_CONSTANT && gp_ref_kind(loop.trip_count) == GP_REF_CONST)
        text += ": " + std::to_string(kernel.constants[gp_ref_index(loop.trip_count)]) + " iterations";
    if (loop.bound == GP_BOUND_ASSUMED)
        text += ": " + std::to_string(static_cast<unsigned>(GP_DEFAULT_TRIP_COUNT)) + " iterations, divided by the unroll factor";
    if (loop.unroll > 1)
        text += "; unrolled by " + std::to_string(loop.unroll);
    if (loop.data_dependent)
        text += "; an exit depends on loaded data";
    return text + "; depth " + std::to_string(loop.depth);
}

void emitLoop(llvm::OptimizationRemarkEmitter &emitter, llvm::Function &function, const Places &places, const gp_kernel &kernel,
              const gp_loop &loop)
{
    emitter.emit([&]() {
        Remark remark(loopsPass, "LoopBound", places.find(loop.location, function), &function.getEntryBlock());
        remark << describeLoop(kernel, loop);
        return remark;
    });
}

llvm::Function *functionOf(llvm::Module &module, const gp_kernel &kernel)
{
    llvm::Function *function = module.getFunction(kernel.symbol);
    return function && !function->isDeclaration() ? function : nullptr;
}

void emitForKernel(llvm::Module &module, const gp_kernel &kernel, const Places &places, const Predictions &predictions,
                   const std::vector<Finding> &findings)
{
    llvm::Function *function = functionOf(module, kernel);
    if (!function)
        return;
    llvm::OptimizationRemarkEmitter emitter(function);
    for (const KernelPrediction &prediction : predictions.kernels) {
        if (prediction.kernel == &kernel && prediction.assumed.feasible)
            emitPrediction(emitter, *function, places, prediction);
    }
    for (const Finding &finding : findings) {
        if (finding.kernel == &kernel)
            emitFinding(emitter, *function, places, finding);
    }
    for (uint32_t i = 0; i < kernel.loop_count; i++)
        emitLoop(emitter, *function, places, kernel, kernel.loops[i]);
}

} // namespace

void emitRemarks(llvm::Module &module, const gp_profile &profile, const Predictions &predictions, const std::vector<Finding> &findings)
{
    llvm::LLVMContext &context = module.getContext();
    if (!llvm::OptimizationRemarkEmitter::allowExtraAnalysis(context, findingsPass) &&
        !llvm::OptimizationRemarkEmitter::allowExtraAnalysis(context, loopsPass))
        return;
    Places places(module, profile);
    for (uint32_t i = 0; i < profile.kernel_count; i++)
        emitForKernel(module, profile.kernels[i], places, predictions, findings);
}

} // namespace gpuperf
