/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where loads and stores stood in the source that the optimiser has made one of: it leaves them a line of 0, or a
 * column, where they stood in one line. They are told of at the first of those that are no longer where they were.
 */
#ifndef GPUPERF_PASSES_MERGED_PLACES_H
#define GPUPERF_PASSES_MERGED_PLACES_H

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuperf
{

class MergedPlaces
{
public:
    /* Of a module with line tables that the optimiser has not seen yet: where what arguments point to is loaded and
     * stored. */
    void collect(const llvm::Module &module);

    /* Gives each load and store of a function's that has lost its line or column the place of one that it may have been
     * made of. In a private copy. */
    void restore(llvm::Function &function) const;

private:
    struct Place {
        unsigned line, column;
        bool operator<(const Place &other) const { return std::tie(line, column) < std::tie(other.line, other.column); }
        bool operator==(const Place &other) const { return line == other.line && column == other.column; }
    };
    /* A function of the source; whether it stores; the argument's number. */
    using Key = std::tuple<std::string, bool, unsigned>;
    class Variables;
    static const llvm::Argument *argumentBehind(const llvm::Value *pointer, Variables &variables);
    static bool keyOf(const llvm::Instruction &inst, Variables &variables, Key &key);

    std::map<Key, std::vector<Place>> places;
};

} // namespace gpuperf
#endif
