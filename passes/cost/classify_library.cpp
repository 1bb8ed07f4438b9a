/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mathematical functions that a CPU's code calls for one work-item after the other. Which these are and how long they
 * take, in tens of cycles of single and of double precision (0: the compiler puts it in line, among the vectors), was
 * measured with PoCL 3.1, LLVM 15 and SLEEF on a Zen 5, arguments from 0.1 to 1.9 and from 3 to 30: a kernel of one
 * function, cycles of a work-item.
 */
#include "passes/cost/classify_parts.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

const struct {
    const char *name;
    unsigned tens, ofDouble;
} called[] = {
    {"sin", 6, 5},     {"cos", 6, 5},      {"tan", 6, 5},         {"sincos", 6, 5},     {"tanpi", 0, 6},
    {"atan2pi", 2, 7}, {"acospi", 0, 3},   {"asinpi", 0, 2},      {"asin", 5, 6},       {"acos", 4, 7},
    {"atan", 9, 12},   {"atan2", 11, 17},  {"sinh", 4, 6},        {"cosh", 4, 6},       {"tanh", 0, 5},
    {"asinh", 8, 6},   {"acosh", 9, 16},   {"atanh", 8, 9},       {"exp2", 3, 4},       {"exp10", 3, 4},
    {"expm1", 9, 12},  {"log", 5, 6},      {"log2", 2, 3},        {"log10", 6, 6},      {"log1p", 6, 6},
    {"pow", 39, 41},   {"powr", 45, 39},   {"pown", 34, 36},      {"rootn", 34, 36},    {"cbrt", 12, 13},
    {"hypot", 11, 12}, {"fmod", 6, 5},     {"remainder", 12, 12}, {"remquo", 12, 12},   {"erf", 10, 18},
    {"erfc", 19, 30},  {"tgamma", 29, 44}, {"lgamma", 25, 40},    {"lgamma_r", 25, 40},
};

/* The others, in terms of exp(), which is one of them. */
const struct {
    const char *name;
    unsigned exponentials;
} inlined[] = {{"tanh", 2}, {"sinpi", 1}, {"cospi", 1}, {"tanpi", 1}, {"asinpi", 1}, {"acospi", 1}, {"atanpi", 1}};

/* PoCL computes these native_ ones in line. */
bool isNativeInline(StringRef name) { return name == "sin" || name == "cos" || name == "tan"; }

} // namespace

bool libraryCall(StringRef name, bool native, const Type *type, Cost &cost)
{
    bool isDouble = type->isDoubleTy();
    if (native && isNativeInline(name))
        return false;
    for (const auto &row : called)
        if (name == row.name && (isDouble ? row.ofDouble : row.tens) > 0) {
            cost = {GP_CLASS_LIBRARY, isDouble ? row.ofDouble : row.tens};
            return true;
        }
    for (const auto &row : inlined)
        if (name == row.name) {
            cost = inPrecision({GP_CLASS_MATH32_EXP, row.exponentials}, type);
            return true;
        }
    return false;
}

} // namespace gpuperf
