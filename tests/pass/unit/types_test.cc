// Names of struct types, as code and as debug information spell them, must
// agree: that is how the pass finds the description of what an access touches.

#include "instrument/pass/types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/LLVMContext.h>

namespace fairlead::pass {
namespace {

struct Case {
  const char* name;
  const char* code;
  const char* plain;
};

constexpr Case kCases[] = {
    {"C struct", "struct.Account", "Account"},
    {"class in a namespace", "class.bank::Account", "bank::Account"},
    {"union", "union.Value", "Value"},
    {"numbered by the linker", "class.std::vector.12", "std::vector"},
    {"without tail padding", "class.Base.base", "Base"},
    {"both", "class.Base.base.3", "Base"},
    {"anonymous", "struct.(anonymous namespace)::Job",
     "(anonymous namespace)::Job"},
    {"nested in a template", "struct.std::_Node<int>::_Inner",
     "std::_Node::_Inner"},
    {"not one of clang's", "Point", "Point"},
};

TEST(PlainName, OfCodeDropsTagsNumbersAndArguments) {
  llvm::LLVMContext context;
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(PlainName(*llvm::StructType::create(context, c.code)), c.plain);
  }
}

class DebugTypes : public testing::Test {
 protected:
  DebugTypes()
      : module_("m", context_),
        builder_(module_),
        file_(builder_.createFile("a.cc", "/p")),
        unit_(builder_.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus_17,
                                         file_, "", false, "", 0)) {}

  llvm::DICompositeType* Struct(llvm::DIScope* scope, const char* name,
                                uint64_t bytes, const char* identifier) {
    return builder_.createStructType(scope, name, file_, 1, bytes * 8, 64,
                                     llvm::DINode::FlagZero, nullptr, {}, 0,
                                     nullptr, identifier);
  }

  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::DIBuilder builder_;
  llvm::DIFile* file_;
  llvm::DICompileUnit* unit_;
};

TEST_F(DebugTypes, PlainNameHasScopesAndNoArguments) {
  auto* space = builder_.createNameSpace(unit_, "std", false);
  auto* outer = Struct(space, "map<int, std::pair<int, int> >", 48, "_ZM");
  auto* inner = Struct(outer, "node<2>", 16, "_ZN");
  EXPECT_EQ(PlainName(*outer), "std::map");
  EXPECT_EQ(PlainName(*inner), "std::map::node");
}

TEST_F(DebugTypes, PlainNameOfAnUnnamedNamespaceIsThatOfTheCode) {
  auto* space = builder_.createNameSpace(unit_, "", false);
  EXPECT_EQ(PlainName(*Struct(space, "Job", 8, "_ZJ")),
            "(anonymous namespace)::Job");
}

TEST_F(DebugTypes, QualifiersAndAliasesAreStripped) {
  auto* type = Struct(unit_, "Job", 8, "_ZJ");
  auto* alias = builder_.createTypedef(
      builder_.createQualifiedType(llvm::dwarf::DW_TAG_const_type, type),
      "ConstJob", file_, 1, unit_);
  EXPECT_EQ(WithoutQualifiers(alias), type);
  EXPECT_EQ(WithoutQualifiers(nullptr), nullptr);
}

// Two instantiations of one template look alike in code; their size tells them
// apart, and where it does not, nobody guesses.
TEST_F(DebugTypes, ResolvesInstantiationsBySize) {
  auto* small = Struct(unit_, "Box<int>", 4, "_ZBi");
  auto* large = Struct(unit_, "Box<long>", 8, "_ZBl");
  auto* twin = Struct(unit_, "Box<double>", 8, "_ZBd");
  builder_.retainType(small);
  builder_.retainType(large);
  builder_.finalize();
  auto* word = llvm::Type::getInt32Ty(context_);
  auto* four = llvm::StructType::create({word}, "class.Box");
  auto* eight = llvm::StructType::create({word, word}, "class.Box.1");
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(word, false),
                             llvm::GlobalValue::ExternalLinkage, "f", module_);
  const llvm::DataLayout& sizes = module_.getDataLayout();
  const TypeCatalogue two(module_);
  EXPECT_EQ(two.Resolve(*four, sizes, *function), small);
  EXPECT_EQ(two.Resolve(*eight, sizes, *function), large);

  llvm::NamedMDNode* units = module_.getNamedMetadata("llvm.dbg.cu");
  auto* unit = llvm::cast<llvm::DICompileUnit>(units->getOperand(0));
  unit->replaceRetainedTypes(
      llvm::MDTuple::get(context_, {small, large, twin}));
  const TypeCatalogue three(module_);
  EXPECT_EQ(three.Resolve(*four, sizes, *function), small);
  EXPECT_EQ(three.Resolve(*eight, sizes, *function), nullptr);
}

}  // namespace
}  // namespace fairlead::pass
