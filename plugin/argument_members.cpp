/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/argument_members.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

#include "passes/tidy/argument_elements.h"

namespace gpuperf
{

namespace
{

class MemberNames
{
public:
    explicit MemberNames(const clang::ASTContext &context) : context(context) {}
    void add(clang::QualType type, uint64_t start, const std::string &name);
    ArgumentMembers all;

private:
    void addRecord(const clang::RecordDecl &record, uint64_t start, const std::string &name);
    void addBases(const clang::CXXRecordDecl &record, uint64_t start, const std::string &name);
    uint64_t bytesOf(clang::QualType type) const { return (uint64_t)context.getTypeSizeInChars(type).getQuantity(); }

    static constexpr size_t most = 64;
    const clang::ASTContext &context;
};

/* A base has no name in the source. */
void MemberNames::addBases(const clang::CXXRecordDecl &record, uint64_t start, const std::string &name)
{
    const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier &base : record.bases())
        if (const auto *of = base.getType()->getAsCXXRecordDecl(); of && !base.isVirtual())
            addRecord(*of, start + (uint64_t)layout.getBaseClassOffset(of).getQuantity(), name);
}

void MemberNames::addRecord(const clang::RecordDecl &record, uint64_t start, const std::string &name)
{
    const clang::RecordDecl *whole = record.getDefinition();
    if (!whole || whole->isInvalidDecl() || whole->isUnion())
        return;
    if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(whole))
        addBases(*derived, start, name);
    const clang::ASTRecordLayout &layout = context.getASTRecordLayout(whole);
    for (const clang::FieldDecl *field : whole->fields()) {
        if (field->isBitField())
            continue;
        uint64_t offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
        std::string own = field->getNameAsString();
        add(field->getType(), start + offset, name.empty() || own.empty() ? name + own : name + "." + own);
    }
}

void MemberNames::add(clang::QualType type, uint64_t start, const std::string &name)
{
    if (all.size() >= most)
        return;
    if (const auto *array = context.getAsConstantArrayType(type)) {
        uint64_t count = std::min<uint64_t>(array->getZExtSize(), most), size = bytesOf(array->getElementType());
        for (uint64_t i = 0; i < count; i++)
            add(array->getElementType(), start + i * size, name + "[" + std::to_string(i) + "]");
    } else if (const auto *vector = type->getAs<clang::VectorType>()) {
        for (unsigned i = 0; i < vector->getNumElements(); i++)
            add(vector->getElementType(), start + i * bytesOf(vector->getElementType()),
                name + "." + elementName(i, vector->getNumElements()));
    } else if (const auto *record = type->getAsRecordDecl()) {
        addRecord(*record, start, name);
    } else if (type->isIntegralOrEnumerationType()) {
        all[start] = {name, type->isSignedIntegerOrEnumerationType()};
    }
}

} // namespace

ArgumentMembers argumentMembers(clang::QualType type, const clang::ASTContext &context)
{
    MemberNames names(context);
    if (type->isRecordType() && !type->isDependentType())
        names.add(type, 0, "");
    return names.all;
}

} // namespace gpuperf
