/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inline assembly: the instructions that it seems to hold. */
#include "passes/cost/classify_parts.h"

#include "llvm/ADT/StringSwitch.h"

#include "passes/cost/matrix_products.h"

using namespace llvm;

namespace gpuperf
{

/* A statement's first word, behind labels and a predicate ("@%p bra"); empty: no instruction. */
static StringRef mnemonicOf(StringRef statement)
{
    const char blanks[] = " \t\r{}";
    statement = statement.trim(blanks);
    while (true) {
        StringRef word = statement.take_until([](char c) { return c == ' ' || c == '\t'; });
        bool skipped = word.ends_with(":") || word.starts_with("@");
        if (!skipped || word.empty())
            return word.starts_with(".") ? StringRef() : word; /* .reg, .pragma */
        statement = statement.drop_front(word.size()).trim(blanks);
    }
}

SmallVector<StringRef, 4> assemblyMnemonics(const InlineAsm &assembly, Target target)
{
    bool amd = target == Target::Amdgcn; /* there, what follows a semicolon is a comment */
    SmallVector<StringRef, 8> lines, statements;
    SmallVector<StringRef, 4> found;
    assembly.getAsmString().split(lines, '\n');
    for (StringRef line : lines) {
        line = line.substr(0, std::min(line.find("//"), amd ? line.find(';') : StringRef::npos));
        statements.clear();
        line.split(statements, ';');
        for (StringRef statement : statements)
            if (StringRef mnemonic = mnemonicOf(statement); !mnemonic.empty())
                found.push_back(mnemonic);
    }
    return found;
}

/* On 32 bits and fewer: dot products of bytes and what arithmetic of many words is written with. GP_CLASS_COUNT: none
 * that is known here. */
static gp_class classOfIntegerPtx(StringRef mnemonic, StringRef name)
{
    if (mnemonic.contains(".wide") || mnemonic.contains(".hi"))
        return name == "mul" || name == "mad" || name == "madc" ? GP_CLASS_INT_MULHI : GP_CLASS_COUNT;
    return (gp_class)StringSwitch<int>(name)
        .Cases({"dp4a", "dp2a", "mad", "madc"}, GP_CLASS_INT_MAD)
        .Case("mul", GP_CLASS_INT_MUL)
        .Cases({"add", "addc", "sub", "subc", "sad", "abs", "neg"}, GP_CLASS_INT_ADD)
        .Cases({"lop3", "prmt", "and", "or", "xor", "not"}, GP_CLASS_INT_LOGIC)
        .Cases({"shl", "shr", "shf", "bfe", "bfi", "bmsk"}, GP_CLASS_INT_SHIFT)
        .Cases({"popc", "clz", "brev", "bfind"}, GP_CLASS_INT_BITS)
        .Cases({"min", "max"}, GP_CLASS_INT_MINMAX)
        .Case("selp", GP_CLASS_SELECT)
        .Case("setp", GP_CLASS_INT_CMP)
        .Default(GP_CLASS_COUNT);
}

/* On 64 bits: what CUB adds up with. */
static gp_class classOfWidePtx(StringRef name, bool floating)
{
    if (floating)
        return (gp_class)StringSwitch<int>(name)
            .Cases({"add", "sub"}, GP_CLASS_DOUBLE_ADD)
            .Case("mul", GP_CLASS_DOUBLE_MUL)
            .Cases({"fma", "mad"}, GP_CLASS_DOUBLE_FMA)
            .Default(GP_CLASS_COUNT);
    return (gp_class)StringSwitch<int>(name)
        .Cases({"add", "sub"}, GP_CLASS_LONG_ADD)
        .Cases({"and", "or", "xor", "not"}, GP_CLASS_LONG_LOGIC)
        .Cases({"shl", "shr", "bfe"}, GP_CLASS_LONG_SHIFT)
        .Default(GP_CLASS_COUNT);
}

/* One PTX instruction that computes: CUDA's headers write halves and fast reciprocals so. GP_CLASS_COUNT: none that is
 * known here. */
static gp_class classOfPtx(StringRef mnemonic)
{
    StringRef name = mnemonic.split('.').first, type = mnemonic.rsplit('.').second;
    if (mnemonic.starts_with("cp.async.wait") || mnemonic.starts_with("cp.async.commit"))
        return GP_CLASS_FENCE;
    bool half = type.contains("f16"), floating = type == "f32", approximate = mnemonic.contains(".approx");
    if (name == "cvt")
        return type == "f64" || mnemonic.contains(".f64.") ? GP_CLASS_CVT_64 : GP_CLASS_CVT;
    if (floating && approximate)
        return (gp_class)StringSwitch<int>(name)
            .Case("rcp", GP_CLASS_FLOAT_RCP)
            .Case("rsqrt", GP_CLASS_FLOAT_RSQRT)
            .Case("sqrt", GP_CLASS_FLOAT_SQRT_FAST)
            .Case("div", GP_CLASS_FLOAT_DIV_FAST)
            .Case("sin", GP_CLASS_SFU_SIN)
            .Case("cos", GP_CLASS_SFU_COS)
            .Case("ex2", GP_CLASS_SFU_EXP2)
            .Case("lg2", GP_CLASS_SFU_LOG2)
            .Case("tanh", GP_CLASS_SFU_OTHER)
            .Default(GP_CLASS_COUNT);
    if (half)
        return (gp_class)StringSwitch<int>(name)
            .Cases({"add", "sub", "neg", "abs"}, GP_CLASS_HALF_ADD)
            .Case("mul", GP_CLASS_HALF_MUL)
            .Case("fma", GP_CLASS_HALF_FMA)
            .Cases({"min", "max", "set", "setp"}, GP_CLASS_HALF_CMP)
            .Cases({"ex2", "tanh"}, GP_CLASS_SFU_OTHER)
            .Default(GP_CLASS_COUNT);
    if (floating)
        return (gp_class)StringSwitch<int>(name)
            .Cases({"add", "sub"}, GP_CLASS_FLOAT_ADD)
            .Case("mul", GP_CLASS_FLOAT_MUL)
            .Cases({"fma", "mad"}, GP_CLASS_FLOAT_FMA)
            .Cases({"min", "max"}, GP_CLASS_FLOAT_MINMAX)
            .Default(GP_CLASS_COUNT);
    if (type == "f64" || ((type == "s64" || type == "u64" || type == "b64") && !mnemonic.contains(".cc")))
        return classOfWidePtx(name, type == "f64");
    bool narrow = StringSwitch<bool>(type).Cases({"s32", "u32", "b32", "s16", "u16", "b16"}, true).Default(false);
    return narrow ? classOfIntegerPtx(mnemonic, name) : GP_CLASS_COUNT;
}

/* What is no computation of one lane: exchanges, answers of a warp, what ends or delays a work-item, and what fetches
 * into a cache only. */
static std::optional<CallClass> exchangeInPtx(StringRef mnemonic)
{
    StringRef name = mnemonic.split('.').first;
    if (name == "shfl")
        return CallClass{CallKind::Shuffle, {GP_CLASS_SHUFFLE, 1}};
    if (name == "vote" || name == "match" || name == "redux" || name == "activemask")
        return CallClass{CallKind::Vote, {GP_CLASS_VOTE, 1}};
    if (name == "exit")
        return CallClass{CallKind::Exit, {GP_CLASS_FREE, 1}};
    if (name == "nanosleep" || name == "prefetch") /* how long it sleeps is not counted */
        return CallClass{CallKind::Arithmetic, {GP_CLASS_MOV, 1}};
    return std::nullopt;
}

/* Memory that is touched in a form that memory_assembly.h does not know is more than an estimate of some instructions
 * is off by. */
static bool touchesMemory(StringRef mnemonic)
{
    StringRef name = mnemonic.split('.').first;
    return StringSwitch<bool>(name)
               .Cases({"ld", "st", "atom", "red", "ldmatrix", "stmatrix", "ldu", "cp"}, true)
               .Default(false) ||
           mnemonic.starts_with("wmma.load") || mnemonic.starts_with("wmma.store");
}

/* The generic address of a known place in shared memory, as cooperative groups ask for that of their own. */
static bool makesSharedAddress(const InlineAsm &assembly, ArrayRef<StringRef> mnemonics)
{
    SmallVector<StringRef, 4> specials;
    StringRef(assembly.getAsmString()).split(specials, '%');
    return is_contained(mnemonics, "cvta.shared.u64") &&
           all_of(mnemonics,
                  [](StringRef name) {
                      return name == "mov.u32" || name == "cvt.u64.u32" || name == "cvta.shared.u64";
                  }) &&
           all_of(drop_begin(specials), [](StringRef name) { return name.starts_with("reserved_smem_"); });
}

bool computesInPtx(StringRef mnemonic) { return classOfPtx(mnemonic) != GP_CLASS_COUNT; }

bool isKnownInPtx(StringRef mnemonic) { return exchangeInPtx(mnemonic) || computesInPtx(mnemonic); }

CallClass classifyAssembly(const InlineAsm &assembly, Target target)
{
    SmallVector<StringRef, 4> mnemonics = assemblyMnemonics(assembly, target);
    unsigned count = (unsigned)mnemonics.size();
    if (count == 0)
        return {CallKind::Arithmetic, {GP_CLASS_FREE, 1}}; /* keeps the optimiser off a value */
    if (target == Target::Nvptx) {
        for (StringRef mnemonic : mnemonics) /* perhaps beside what makes its predicate */
            if (std::optional<Cost> product = productInPtx(mnemonic))
                return {CallKind::Arithmetic, *product};
        if (std::optional<CallClass> exchange = count == 1 ? exchangeInPtx(mnemonics[0]) : std::nullopt)
            return *exchange;
        gp_class known = count == 1 ? classOfPtx(mnemonics[0]) : GP_CLASS_COUNT;
        if (known != GP_CLASS_COUNT)
            return {CallKind::Arithmetic, whereFlushed({known, 1}, isFlushedApproximation(mnemonics[0]))};
        if (makesSharedAddress(assembly, mnemonics))
            return {CallKind::Arithmetic, {GP_CLASS_INT_LOGIC, count}};
        if (any_of(mnemonics, touchesMemory))
            return {CallKind::Unknown, {GP_CLASS_CALL, 1}};
    }
    return {CallKind::Assembly, {GP_CLASS_INT_LOGIC, count}};
}

} // namespace gpuperf
