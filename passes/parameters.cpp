/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/parameters.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

#include "passes/ir/kernels.h"
#include "passes/tidy/argument_elements.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

bool isUnsignedName(StringRef type)
{
    return type.starts_with("u") || type.starts_with("unsigned") || type == "size_t" || type == "bool";
}

uint8_t pointerSpace(const ArgumentLists &lists, const Argument &argument, Target target)
{
    int stated = argumentSpace(lists.spaces, argument.getArgNo());
    if (target == Target::Host || target == Target::Spir || stated > 0)
        return stated == 2 ? GP_SPACE_CONSTANT : stated == 3 ? GP_SPACE_LOCAL : GP_SPACE_GLOBAL;
    gp_space space = spaceOf(target, argument.getType()->getPointerAddressSpace());
    return space == GP_SPACE_GENERIC ? GP_SPACE_GLOBAL : space; /* a kernel's pointers come from the host */
}

gp_param describeParameter(const Function &kernel, const ArgumentLists &lists, const Argument &argument, Target target)
{
    const DataLayout &layout = kernel.getParent()->getDataLayout();
    unsigned index = argument.getArgNo();
    Type *type = argument.getType();
    StringRef name = argumentText(lists.baseTypes, index), qualifiers = argumentText(lists.qualifiers, index);
    gp_param param = {};
    param.bounds_dim = GP_NONE;
    param.size = (uint32_t)layout.getTypeAllocSize(type).getFixedValue();
    param.bits = (uint8_t)std::min<uint64_t>(255, layout.getTypeSizeInBits(type).getFixedValue());
    param.space = GP_SPACE_GLOBAL;
    if (qualifiers.contains("const") || (type->isPointerTy() && argument.onlyReadsMemory()))
        param.flags |= GP_PARAM_CONST;
    if (qualifiers.contains("restrict") || argument.hasNoAliasAttr())
        param.flags |= GP_PARAM_RESTRICT;
    Type *byValue = passedByValue(argument);
    bool image = name.contains("image") && name.ends_with("_t");
    auto *target_type = dyn_cast<TargetExtType>(type);
    if (image || (target_type && target_type->getName() == "spirv.Image")) {
        param.kind = GP_PARAM_IMAGE;
        param.space = GP_SPACE_IMAGE;
        param.bits = 64;
        param.size = 8;
    } else if (name == "sampler_t" || (target_type && target_type->getName() == "spirv.Sampler")) {
        param.kind = GP_PARAM_SAMPLER;
        param.bits = 64;
        param.size = 8;
    } else if (byValue) {
        param.kind = GP_PARAM_OTHER;
        param.space = GP_SPACE_CONSTANT;
        param.size = (uint32_t)layout.getTypeAllocSize(byValue).getFixedValue();
        param.bits = 64;
    } else if (type->isPointerTy()) {
        param.space = pointerSpace(lists, argument, target);
        param.kind = param.space == GP_SPACE_LOCAL ? GP_PARAM_LOCAL : GP_PARAM_BUFFER;
        param.bits = 64;
        param.size = param.kind == GP_PARAM_LOCAL ? 0 : 8;
    } else if (type->isIntOrIntVectorTy()) {
        param.kind = GP_PARAM_INT;
        if (type->isIntegerTy(1))
            param.bits = 8;
        if (!isUnsignedName(name) && !argument.hasZExtAttr())
            param.flags |= GP_PARAM_SIGNED;
    } else if (type->isFPOrFPVectorTy()) {
        param.kind = GP_PARAM_FLOAT;
    } else {
        param.kind = GP_PARAM_OTHER;
    }
    return param;
}

/* What the source says of a structure's integer; null: it is an element of a vector, or that is not known. */
const ArgumentMember *memberOf(const ArgumentElement &element, const ArgumentMembers *members)
{
    if (!members || element.count > 0)
        return nullptr;
    auto known = members->find(element.bytes());
    return known != members->end() ? &known->second : nullptr;
}

/* Where the source's name is not known a structure's member has the number of bytes before it. */
std::string nameOf(const ArgumentElement &element, const ArgumentMember *member)
{
    if (element.count > 0)
        return elementName(element.element, element.count);
    return member ? member->name : std::to_string(element.bytes());
}

/* Behind all arguments, as in the kernel's copy. */
void describeElements(const Function &kernel, const BuildOptions &options, KernelData &data, UniqueStringSaver &strings)
{
    auto all = options.parameterMembers.find(kernel.getName().str());
    for (const ArgumentElement &element : argumentElements(kernel)) {
        uint32_t whole = element.whole->getArgNo();
        const ArgumentMembers *members =
            all != options.parameterMembers.end() && whole < all->second.size() ? &all->second[whole] : nullptr;
        gp_param param = data.params[whole];
        const ArgumentMember *member = memberOf(element, members);
        if (element.count == 0)
            param.flags = member && !member->isSigned ? 0 : GP_PARAM_SIGNED;
        param.kind = GP_PARAM_INT;
        param.bits = (uint8_t)element.type->getBitWidth();
        param.size = param.bits / 8u;
        param.space = GP_SPACE_GLOBAL;
        param.flags |= GP_PARAM_ELEMENT;
        param.vector = whole;
        param.element = element.element;
        if (*param.name != '\0')
            param.name = strings.save(std::string(param.name) + "." + nameOf(element, member)).data();
        data.params.push_back(param);
    }
}

bool parseSizes(StringRef text, uint32_t sizes[3])
{
    SmallVector<StringRef, 3> parts;
    text.split(parts, 'x');
    uint32_t read[3] = {1, 1, 1};
    if (parts.size() > 3)
        return false;
    for (size_t i = 0; i < parts.size(); i++)
        if (parts[i].getAsInteger(10, read[i]) || read[i] == 0)
            return false;
    std::copy(read, read + 3, sizes);
    return true;
}

} // namespace

void describeParameters(const Function &kernel, Target target, const BuildOptions &options, KernelData &data,
                        UniqueStringSaver &strings)
{
    auto names = options.parameterNames.find(kernel.getName().str());
    auto records = options.parameterRecords.find(kernel.getName().str());
    ArgumentLists lists = argumentLists(kernel);
    for (const Argument &argument : kernel.args()) {
        gp_param param = describeParameter(kernel, lists, argument, target);
        unsigned index = argument.getArgNo();
        StringRef name = argumentText(lists.names, index);
        if (names != options.parameterNames.end() && index < names->second.size())
            name = names->second[index];
        if (name.empty())
            name = argument.getName();
        param.name = strings.save(name).data();
        if (param.kind == GP_PARAM_BUFFER && records != options.parameterRecords.end() &&
            index < records->second.size() && records->second[index])
            param.flags |= GP_PARAM_RECORDS;
        data.params.push_back(param);
    }
    describeElements(kernel, options, data, strings);
}

void readAssumptions(StringRef text, KernelData &data)
{
    SmallVector<StringRef, 8> items;
    text.consume_front("gpuperf:");
    SplitString(text, items, " ,:;\t");
    for (StringRef item : items) {
        auto [key, value] = item.split('=');
        int64_t number = 0;
        if (key == "global") {
            parseSizes(value, data.kernel.stated.default_global);
        } else if (key == "local") {
            parseSizes(value, data.kernel.stated.default_local);
        } else if (!value.getAsInteger(0, number)) {
            uint32_t param = gp_kernel_find_param(&data.kernel, key.str().c_str());
            bool scalar = param != GP_NONE &&
                          (data.params[param].kind == GP_PARAM_INT || data.params[param].kind == GP_PARAM_FLOAT);
            if (scalar)
                data.defaults.push_back({param, number});
        }
    }
}

} // namespace gpuperf
