/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/source_path.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuperf
{

static SmallString<256> wholePath(StringRef directory, StringRef name)
{
    SmallString<256> path(sys::path::is_absolute(name) ? "" : directory);
    sys::path::append(path, name);
    sys::path::remove_dots(path, true);
    return path;
}

std::string sourcePath(const DILocation &location)
{
    StringRef name = location.getFilename(), directory = location.getDirectory();
    const DISubprogram *function = location.getScope()->getSubprogram();
    const DICompileUnit *unit = function ? function->getUnit() : nullptr;
    if (!unit)
        return name.str();
    SmallString<256> path = wholePath(directory, name);
    if (path == wholePath(unit->getDirectory(), unit->getFilename()))
        return unit->getFilename().str();
    return directory.empty() || directory == unit->getDirectory() ? name.str() : std::string(path);
}

} // namespace gpuperf
