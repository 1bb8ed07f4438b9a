/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/kernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/TargetParser/Triple.h"

#include "passes/ir/llvm_version.h"

using namespace llvm;

namespace gpuperf
{

Target targetOf(const Module &module)
{
    Triple triple = tripleOf(module);
    if (triple.isNVPTX())
        return Target::Nvptx;
    if (triple.isAMDGCN())
        return Target::Amdgcn;
    if (triple.isSPIR() || triple.isSPIRV())
        return Target::Spir;
    return Target::Host;
}

/* Older IR marks NVIDIA's kernels and their launch bounds in nvvm.annotations: !{function, !"kernel", i32 1, ...}. */
static bool annotation(const Function &function, StringRef key, uint64_t &value)
{
    const NamedMDNode *list = function.getParent()->getNamedMetadata("nvvm.annotations");
    if (!list)
        return false;
    for (const MDNode *entry : list->operands()) {
        if (entry->getNumOperands() < 3)
            continue;
        auto *named = mdconst::dyn_extract_or_null<Function>(entry->getOperand(0));
        if (named != &function)
            continue;
        for (unsigned i = 1; i + 1 < entry->getNumOperands(); i += 2) {
            auto *name = dyn_cast_or_null<MDString>(entry->getOperand(i));
            auto *number = mdconst::dyn_extract_or_null<ConstantInt>(entry->getOperand(i + 1));
            if (name && number && name->getString() == key) {
                value = number->getZExtValue();
                return true;
            }
        }
    }
    return false;
}

/* Function::getMetadata(name) would enter the name in the context, and that shows in the bitcode that is written later.
 */
static const MDNode *metadataOf(const Function &kernel, ArrayRef<StringRef> kinds, StringRef kind)
{
    auto found = llvm::find(kinds, kind);
    return found == kinds.end() ? nullptr : kernel.getMetadata((unsigned)(found - kinds.begin()));
}

static SmallVector<StringRef, 64> kindsOf(const Function &kernel)
{
    SmallVector<StringRef, 64> kinds;
    kernel.getContext().getMDKindNames(kinds);
    return kinds;
}

ArgumentLists argumentLists(const Function &kernel)
{
    SmallVector<StringRef, 64> kinds = kindsOf(kernel);
    return {metadataOf(kernel, kinds, "kernel_arg_name"), metadataOf(kernel, kinds, "kernel_arg_base_type"),
            metadataOf(kernel, kinds, "kernel_arg_type_qual"), metadataOf(kernel, kinds, "kernel_arg_addr_space")};
}

bool isKernelBody(const Function &function) { return function.getName().starts_with("__clang_ocl_kern_imp_"); }

CallInst *callOfBody(Function &kernel)
{
    auto *call = dyn_cast<CallInst>(&*kernel.getEntryBlock().getFirstNonPHIOrDbg());
    Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration() && isKernelBody(*callee) ? call : nullptr;
}

std::vector<Function *> findKernels(Module &module)
{
    std::vector<Function *> kernels;
    Target target = targetOf(module);
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        uint64_t marked = 0;
        bool metadata = target == Target::Host && argumentLists(function).spaces && !isKernelBody(function);
        if (hasKernelConvention(function) || metadata || (annotation(function, "kernel", marked) && marked != 0))
            kernels.push_back(&function);
    }
    return kernels;
}

std::string sourceName(const Function &kernel)
{
    std::string symbol = kernel.getName().str();
    if (!StringRef(symbol).starts_with("_Z"))
        return symbol;
    std::string name = demangle(symbol);
    size_t parameters = std::string::npos;
    int depth = 0;
    for (size_t i = 0; i < name.size() && parameters == std::string::npos; i++) {
        if (name[i] == '<')
            depth++;
        else if (name[i] == '>')
            depth--;
        else if (name[i] == '(' && depth == 0 && name.compare(i, 21, "(anonymous namespace)") != 0)
            parameters = i;
    }
    name = name.substr(0, parameters);
    /* "void scale<float>": a template's return type is part of its name */
    size_t start = 0;
    depth = 0;
    for (size_t i = 0; i < name.size(); i++) {
        if (name[i] == '<' || name[i] == '(')
            depth++;
        else if (name[i] == '>' || name[i] == ')')
            depth--;
        else if (name[i] == ' ' && depth == 0)
            start = i + 1;
    }
    return name.substr(start);
}

StringRef argumentText(const MDNode *list, unsigned index)
{
    if (!list || index >= list->getNumOperands())
        return "";
    auto *text = dyn_cast_or_null<MDString>(list->getOperand(index));
    return text ? text->getString() : "";
}

int argumentSpace(const MDNode *list, unsigned index)
{
    if (!list || index >= list->getNumOperands())
        return -1;
    auto *number = mdconst::dyn_extract_or_null<ConstantInt>(list->getOperand(index));
    return number ? (int)number->getZExtValue() : -1;
}

gp_space spaceOf(Target target, unsigned addressSpace)
{
    switch (target) {
    case Target::Spir: /* SPIR 2.0, section 2.2 */
        return addressSpace == 0   ? GP_SPACE_PRIVATE
               : addressSpace == 1 ? GP_SPACE_GLOBAL
               : addressSpace == 2 ? GP_SPACE_CONSTANT
               : addressSpace == 3 ? GP_SPACE_LOCAL
                                   : GP_SPACE_GENERIC;
    case Target::Nvptx: /* LLVM's NVPTX usage guide, "Address Spaces"; 101: kernel parameters */
        return addressSpace == 1                          ? GP_SPACE_GLOBAL
               : addressSpace == 3 || addressSpace == 7   ? GP_SPACE_LOCAL
               : addressSpace == 4 || addressSpace == 101 ? GP_SPACE_CONSTANT
               : addressSpace == 5                        ? GP_SPACE_PRIVATE
                                                          : GP_SPACE_GENERIC;
    case Target::Amdgcn: /* LLVM's AMDGPU usage guide, "Address Spaces" */
        return addressSpace == 1                        ? GP_SPACE_GLOBAL
               : addressSpace == 3 || addressSpace == 2 ? GP_SPACE_LOCAL
               : addressSpace == 4 || addressSpace == 6 ? GP_SPACE_CONSTANT
               : addressSpace == 5                      ? GP_SPACE_PRIVATE
               : addressSpace >= 7 && addressSpace <= 9 ? GP_SPACE_GLOBAL
                                                        : GP_SPACE_GENERIC;
    case Target::Host: break;
    }
    return GP_SPACE_GLOBAL; /* one flat memory */
}

bool isLocalArray(const GlobalVariable &variable, Target target)
{
    if (target != Target::Host)
        return spaceOf(target, variable.getAddressSpace()) == GP_SPACE_LOCAL;
    if (variable.isConstant() || !variable.hasLocalLinkage())
        return false;
    /* A work-group array has no value to start with; a program-scope variable of OpenCL C 1.x is constant. */
    const Module *module = variable.getParent();
    size_t dot = variable.getName().find('.');
    return dot != StringRef::npos && variable.hasInitializer() && isa<UndefValue>(variable.getInitializer()) &&
           (!module || module->getFunction(variable.getName().substr(0, dot)) != nullptr ||
            module->getFunction("__clang_ocl_kern_imp_" + variable.getName().substr(0, dot).str()) != nullptr);
}

static uint32_t leadingNumber(StringRef text)
{
    uint32_t number = 0;
    return text.consumeInteger(10, number) ? 0 : number;
}

void groupLimits(const Function &kernel, uint32_t required[3], uint32_t &largest, uint32_t &groups)
{
    required[0] = required[1] = required[2] = largest = groups = 0;
    const MDNode *size = metadataOf(kernel, kindsOf(kernel), "reqd_work_group_size");
    for (unsigned i = 0; size && i < 3 && i < size->getNumOperands(); i++)
        if (auto *number = mdconst::dyn_extract_or_null<ConstantInt>(size->getOperand(i)))
            required[i] = (uint32_t)number->getZExtValue();

    uint64_t product = 1, value = 0;
    bool stated = false;
    const char *keys[] = {"maxntidx", "maxntidy", "maxntidz"};
    for (const char *key : keys)
        if (annotation(kernel, key, value)) {
            product *= value;
            stated = true;
        }
    if (kernel.hasFnAttribute("nvvm.maxntid")) {
        SmallVector<StringRef, 3> parts;
        kernel.getFnAttribute("nvvm.maxntid").getValueAsString().split(parts, ',');
        product = 1;
        stated = true;
        for (StringRef part : parts)
            product *= leadingNumber(part.trim());
    }
    if (annotation(kernel, "minctasm", value))
        groups = (uint32_t)value;
    if (kernel.hasFnAttribute("nvvm.minctasm"))
        groups = (uint32_t)leadingNumber(kernel.getFnAttribute("nvvm.minctasm").getValueAsString());
    if (kernel.hasFnAttribute("amdgpu-flat-work-group-size")) {
        StringRef range = kernel.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
        bool byDefault =
            range == "1,256"; /* clang's for OpenCL: what the source says nothing of may be compiled for more */
        product = byDefault ? product : leadingNumber(range.split(',').second.trim());
        stated |= !byDefault;
    }
    if (stated && product > 0 && product <= UINT32_MAX)
        largest = (uint32_t)product;
    uint64_t items = (uint64_t)required[0] * required[1] * required[2];
    if (items == 0)
        required[0] = required[1] = required[2] = 0; /* all or none */
}

} // namespace gpuperf
