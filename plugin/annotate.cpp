/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/annotate.h"

#include <algorithm>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "model/profile/profile_find.h"

namespace gpuperf
{

namespace
{

const char metadataKind[] = "gpuperf";

llvm::Metadata *integer(llvm::LLVMContext &context, unsigned bits, uint64_t value)
{
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::IntegerType::get(context, bits), value));
}

llvm::MDNode *candidateNode(llvm::LLVMContext &context, const gp_device &device, const gp_prediction &prediction)
{
    llvm::Metadata *entries[] = {
        llvm::MDString::get(context, device.name),
        integer(context, 32, prediction.local[0]),
        integer(context, 32, prediction.local[1]),
        integer(context, 32, prediction.local[2]),
        integer(context, 64, static_cast<uint64_t>(std::clamp(prediction.cycles, 0.0, 9e18))),
    };
    return llvm::MDNode::get(context, entries);
}

/*
 * Where constants of no particular use live: OpenCL's constant address space; on NVIDIA global memory, since all
 * of a program's constant memory is 64 KiB there (CUDA C Programming Guide, "Technical Specifications").
 */
unsigned constantAddressSpace(const llvm::Triple &triple)
{
    if (triple.isSPIR() || triple.isSPIRV())
        return 2;
    if (triple.isNVPTX())
        return 1;
    if (triple.isAMDGPU())
        return 4;
    return 0;
}

llvm::GlobalVariable *constant(llvm::Module &module, llvm::Constant *value, unsigned addressSpace,
                               const llvm::Twine &name)
{
    return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name,
                                    nullptr, llvm::GlobalValue::NotThreadLocal, addressSpace);
}

llvm::GlobalVariable *pieceAsWords(llvm::Module &module, const uint32_t *piece, size_t length, unsigned addressSpace)
{
    llvm::Constant *data = llvm::ConstantDataArray::get(module.getContext(), llvm::ArrayRef<uint32_t>(piece, length));
    llvm::GlobalVariable *variable = constant(module, data, addressSpace, GP_PIECE_NAME + llvm::Twine(piece[2]));
    variable->setAlignment(llvm::Align(4));
    return variable;
}

llvm::GlobalVariable *pieceAsName(llvm::Module &module, const uint32_t *piece, size_t length, unsigned addressSpace)
{
    char name[GP_PIECE_NAME_SIZE];
    gp_profile_piece_name(piece, length, name);
    return constant(module, llvm::ConstantInt::get(llvm::Type::getInt8Ty(module.getContext()), 0), addressSpace, name);
}

} // namespace

void annotateKernels(llvm::Module &module, const Predictions &predictions)
{
    llvm::LLVMContext &context = module.getContext();
    std::vector<std::pair<const gp_kernel *, std::vector<llvm::Metadata *>>> nodes;
    for (const KernelPrediction &prediction : predictions.kernels) {
        if (nodes.empty() || nodes.back().first != prediction.kernel)
            nodes.push_back({prediction.kernel, {}});
        for (const gp_prediction *candidate : prediction.candidates) {
            if (candidate->feasible)
                nodes.back().second.push_back(candidateNode(context, *prediction.device, *candidate));
        }
    }
    for (auto &[kernel, candidates] : nodes) {
        llvm::Function *function = module.getFunction(kernel->symbol);
        if (function && !candidates.empty())
            function->setMetadata(metadataKind, llvm::MDNode::get(context, candidates));
    }
}

void embedProfile(llvm::Module &module, llvm::ArrayRef<uint32_t> words)
{
    llvm::Triple triple(module.getTargetTriple());
    auto *asVariable = triple.isSPIRV() ? pieceAsName : pieceAsWords;
    llvm::SmallVector<llvm::GlobalValue *, 8> pieces;
    uint32_t piece[GP_PIECE_WORDS];
    for (uint32_t i = 0, count = gp_profile_piece_count(words.size()); i < count; i++) {
        size_t length = gp_profile_piece(words.data(), words.size(), i, piece);
        pieces.push_back(asVariable(module, piece, length, constantAddressSpace(triple)));
    }
    llvm::appendToCompilerUsed(module, pieces);
}

} // namespace gpuperf
