// cli/facts_sets.cc
//
// `fairlead facts suggest sets -- PROGRAM`: which data belongs together, and
// which functions are units of work, as the compiler's tables of a program
// suggest it. Printed in the form of fairlead.facts, as proposals, to be edited
// and kept; what is decided already is left out. Nothing is run.

#include <algorithm>
#include <map>
#include <set>

#include "analysis/asset/layout.h"
#include "base/text.h"
#include "cli/facts.h"
#include "cli/facts_verbs.h"
#include "cli/print.h"
#include "explore/aim/target_places.h"
#include "fact/text.h"

namespace fairlead::cli {
namespace {

using analysis::asset::Field;
using analysis::asset::Layout;
using fact::Fact;

// The types of one binary.
class FileTables final : public trace::ProgramTables {
 public:
  explicit FileTables(const trace::SiteTable& table) : table_(table) {}
  const trace::TypeName* TypeOf(uint64_t id) override {
    const auto type = table_.types.find(id);
    return type == table_.types.end() ? nullptr : &type->second;
  }
  const trace::FunctionName* FunctionOf(const trace::Event&) override {
    return nullptr;
  }

 protected:
  const trace::SiteName& Find(uint32_t) override { return unknown(); }

 private:
  const trace::SiteTable& table_;
};

// Methods of a struct of C are functions that are given a pointer to it.
bool IsMethod(const trace::FunctionName& function, uint64_t type) {
  if (function.type != 0) return function.type == type;
  if (function.linkage_name.starts_with("_Z")) return false;
  return std::ranges::any_of(
      function.params,
      [&](const trace::ParamName& param) { return param.pointee == type; });
}

std::set<std::string> MethodsOf(const trace::SiteTable& table,
                                const Layout& layout) {
  constexpr uint32_t kNone = abi::kFunctionLibrary | abi::kFunctionNotUnit |
                             abi::kFunctionConstructor |
                             abi::kFunctionDestructor | abi::kFunctionLambda;
  std::set<std::string> methods;
  for (const trace::FunctionName& function : table.functions) {
    if ((function.flags & kNone) != 0 || function.name.empty()) continue;
    if (!IsMethod(function, layout.type)) continue;
    methods.insert(function.type != 0 ? layout.name + "::" + function.name
                                      : function.name);
  }
  return methods;
}

void Propose(fact::Key key, std::string reason, std::vector<Fact>& facts) {
  Result<Fact> fact = fact::Checked({.key = std::move(key),
                                     .state = fact::State::kProposed,
                                     .origin = fact::Origin::kInferred,
                                     .reason = std::move(reason)});
  if (fact) facts.push_back(*std::move(fact));
}

void ProposeFor(const trace::SiteTable& table, const Layout& layout,
                const std::set<uint64_t>& accessed, std::vector<Fact>& facts) {
  std::vector<std::string> fields;
  for (const Field& field : layout.fields) {
    if (!field.left_out) fields.push_back(layout.name + "." + field.name);
  }
  const std::set<std::string> methods = MethodsOf(table, layout);
  if (methods.empty() || !accessed.contains(layout.type)) return;
  if (fields.size() > 1) {
    Propose({fact::Kind::kAtomicSet, fields},
            fmt::format("fields of {}, which has {}", layout.name,
                        Counted(methods.size(), "method")),
            facts);
  }
  for (const std::string& method : methods) {
    Propose({fact::Kind::kUnit, {method}}, "a method of " + layout.name, facts);
  }
}

}  // namespace

std::vector<Fact> SetsSuggestedBy(const trace::SiteTable& table) {
  FileTables tables(table);
  analysis::asset::Layouts layouts;
  layouts.Begin(tables);
  std::set<uint64_t> accessed;
  for (const trace::SiteName& site : table.sites) accessed.insert(site.type);
  // Of a base, the methods of derived classes use the fields, too.
  for (const auto& [id, type] : table.types) {
    if (!accessed.contains(id)) continue;
    for (const auto& [base, offset] : layouts.BasesOf(id))
      accessed.insert(base);
  }
  std::vector<Fact> facts;
  for (const auto& [id, type] : table.types) {
    const Layout* layout = layouts.Of(id);
    if (layout != nullptr && layout->is_set) {
      ProposeFor(table, *layout, accessed, facts);
    }
  }
  std::ranges::sort(facts, {}, &Fact::key);
  const auto [first, last] = std::ranges::unique(facts, {}, &Fact::key);
  facts.erase(first, last);
  return facts;
}

Result<ExitCode> SuggestSets(const FactsOptions& options) {
  const Result<trace::SiteTable> table =
      explore::SitesOf(options.program.front());
  if (!table) return table.error();
  if (!table->instrumented) {
    return Error(ErrorCode::kEnvironment)
        .Say("{} was not built with fairlead-cc: its types are not known",
             options.program.front())
        .Hint("build it with fairlead-cc or fairlead-c++, with -g");
  }
  std::set<fact::Key> decided;
  if (const std::string file = FactsFileOf(options.facts); !file.empty()) {
    const Result<fact::Document> document = ReadFacts(file);
    if (!document) return document.error();
    for (const Fact& fact : fact::FactsOf(*document)) decided.insert(fact.key);
  }
  std::string text;
  for (const Fact& fact : SetsSuggestedBy(*table)) {
    if (!decided.contains(fact.key)) text += fact::PrintFact(fact) + "\n";
  }
  if (text.empty()) text = "# nothing is proposed\n";
  Print(stdout, text);
  return ExitCode::kNothingFound;
}

}  // namespace fairlead::cli
