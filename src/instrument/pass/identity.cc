#include "instrument/pass/identity.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

namespace fairlead::pass {
namespace {

// 0 means "no record" in the tables, so no name may hash to it.
uint64_t NameHash(llvm::StringRef name) {
  const uint64_t hash = llvm::xxh3_64bits(name);
  return hash == 0 ? 1 : hash;
}

// Numbers equal keys 0, 1, 2… in the order they are asked for.
class Ordinals {
 public:
  unsigned Next(llvm::StringRef key) { return next_[key]++; }

 private:
  llvm::StringMap<unsigned> next_;
};

// Separates the parts of a key; cannot occur in source text or names.
constexpr char kSeparator = '\x1f';

std::string ExactKey(llvm::StringRef function, llvm::StringRef file,
                     const Site& site) {
  std::string key;
  llvm::raw_string_ostream(key)
      << function << kSeparator << file << kSeparator << site.line << kSeparator
      << site.column << kSeparator << static_cast<unsigned>(site.kind);
  return key;
}

std::string AnchorKey(llvm::StringRef function, llvm::StringRef text,
                      const Site& site) {
  std::string key;
  llvm::raw_string_ostream(key)
      << function << kSeparator << text << kSeparator
      << static_cast<unsigned>(site.kind) << kSeparator << site.size;
  return key;
}

uint64_t HashWithOrdinal(llvm::StringRef key, unsigned ordinal) {
  return NameHash((key + llvm::Twine(kSeparator) + llvm::Twine(ordinal)).str());
}

}  // namespace

std::string FunctionIdentity(const llvm::Function& function,
                             SourceText& sources) {
  std::string name = function.getName().str();
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (function.hasLocalLinkage() && subprogram != nullptr) {
    name += kSeparator;
    name += sources.Path(subprogram->getFile()).path;
  }
  return name;
}

void AssignIdentity(const llvm::Function& function, SourceText& sources,
                    Sites& sites) {
  const std::string name = FunctionIdentity(function, sources);
  Ordinals exact, anchors;
  for (Site& site : sites) {
    const std::string exact_key =
        ExactKey(name, sources.Path(site.file).path, site);
    site.ordinal = exact.Next(exact_key);
    site.id = HashWithOrdinal(exact_key, site.ordinal);

    const std::string anchor_key =
        AnchorKey(name, sources.Line(site.file, site.line), site);
    site.anchor = HashWithOrdinal(anchor_key, anchors.Next(anchor_key));
  }
}

void AttachMetadata(const Sites& sites) {
  for (const Site& site : sites) {
    llvm::LLVMContext& context = site.at->getContext();
    llvm::Type* word = llvm::Type::getInt64Ty(context);
    llvm::SmallVector<llvm::Metadata*, 4> names;
    if (llvm::MDNode* before = site.at->getMetadata(kSiteMetadata)) {
      names.append(before->op_begin(), before->op_end());
    }
    for (const uint64_t value : {site.id, site.anchor}) {
      names.push_back(
          llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, value)));
    }
    site.at->setMetadata(kSiteMetadata, llvm::MDNode::get(context, names));
  }
}

}  // namespace fairlead::pass
