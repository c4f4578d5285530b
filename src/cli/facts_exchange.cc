#include <stdio.h>
#include <unistd.h>

#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/facts.h"
#include "cli/facts_verbs.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

using fact::Fact;

// Contrary decisions are told, and decide the exit code.
ExitCode TellConflicts(const std::vector<fact::Conflict>& conflicts,
                       const std::string& theirs) {
  for (const fact::Conflict& each : conflicts) {
    Warn("{}", PrintableLine(report::ConflictText(each, theirs)));
  }
  return conflicts.empty() ? ExitCode::kNothingFound : ExitCode::kFindings;
}

Status PrintOrWrite(const std::string& text, const std::string& out) {
  if (!out.empty()) return WriteFile(out, text);
  Print(stdout, text);
  return {};
}

void KeepKind(fact::Document& document, const FactsOptions& options) {
  if (options.kind.empty()) return;
  std::erase_if(document.entries, [&](const fact::Entry& entry) {
    return fact::WordOf(entry.fact.key.kind) != options.kind;
  });
}

Result<fact::Document> ReadFileOrInput(const std::string& path) {
  if (path != "-") return ReadFacts(path);
  const Result<std::string> text =
      ReadAll(STDIN_FILENO, "standard input", kMaxTextBytes);
  if (!text) return text.error();
  Result<fact::Document> document = fact::ParseUntrusted(*text);
  if (!document) return document.error().In("standard input");
  return document;
}

}  // namespace

Result<ExitCode> ImportFacts(const FactsOptions& options) {
  if (options.files.empty() == options.suppressions.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("{}", options.files.empty() ? "no file" : "two files")
        .Hint("name a file of facts, or one with --suppressions");
  }
  std::vector<Fact> facts;
  if (!options.suppressions.empty()) {
    Result<std::vector<Fact>> old = ReadSuppressions(options.suppressions);
    if (!old) return old.error();
    facts = OfKind(*std::move(old), options);
  } else {
    const Result<fact::Document> document = ReadFileOrInput(options.files[0]);
    if (!document) return document.error();
    facts = OfKind(fact::FactsOf(*document), options);
  }
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kCreate);
  if (!store) return store.error();
  const Result<std::vector<fact::Conflict>> conflicts =
      (*store)->MergeFacts(facts);
  if (!conflicts) return conflicts.error();
  Note("{} imported", Counted(facts.size(), "fact"));
  return TellConflicts(*conflicts, options.files.empty() ? options.suppressions
                                                         : options.files[0]);
}

Result<ExitCode> ExportFacts(const FactsOptions& options) {
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options.store, store::IfMissing::kFail);
  if (!store) return store.error();
  Result<std::vector<Fact>> facts = (*store)->Facts();
  if (!facts) return facts.error();
  fact::Document kept;
  for (Fact& fact : OfKind(*std::move(facts), options)) {
    if (fact.state == fact::State::kProposed && !options.all) continue;
    kept.entries.push_back({{}, std::move(fact)});
  }
  fact::Document written;
  if (!options.out.empty() && access(options.out.c_str(), F_OK) == 0) {
    Result<fact::Document> document = ReadFacts(options.out);
    if (!document) return document.error();
    written = *std::move(document);
  }
  const fact::MergedDocument merged = fact::Merge(written, kept);
  if (Status put = PrintOrWrite(fact::Print(merged.document), options.out);
      !put) {
    return put.error();
  }
  return TellConflicts(merged.conflicts, "the store");
}

Result<ExitCode> MergeFactFiles(const FactsOptions& options) {
  Result<fact::Document> ours = ReadFacts(options.files[0]);
  if (!ours) return ours.error();
  Result<fact::Document> theirs = ReadFacts(options.files[1]);
  if (!theirs) return theirs.error();
  KeepKind(*ours, options);
  KeepKind(*theirs, options);
  const fact::MergedDocument merged = fact::Merge(*ours, *theirs);
  if (Status put = PrintOrWrite(fact::Print(merged.document), options.out);
      !put) {
    return put.error();
  }
  return TellConflicts(merged.conflicts, options.files[1]);
}

}  // namespace fairlead::cli
