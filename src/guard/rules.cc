#include "guard/rules.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "guard/sys.h"

namespace fairlead::guard {
namespace {

// An open-addressing table of words; 0 is none of them.
struct WordTable {
  uint64_t* words = nullptr;
  uint32_t* numbers = nullptr;  // of each word; null = there are none
  uint64_t mask = 0;
};

struct Rules {
  WordTable sites;  // anchor to number
  WordTable pairs;
  const uint64_t* anchors = nullptr;  // by number - 1
  uint32_t num_sites = 0;
};
constexpr Rules kNoRules = {};

// Replaced as a whole, and never taken down: others may be looking at it.
const Rules* rules = &kNoRules;

uint64_t Mix(uint64_t word) {
  word *= 0x9e3779b97f4a7c15;
  return word ^ word >> 32;
}

uint64_t PlaceIn(const WordTable& table, uint64_t word) {
  uint64_t at = Mix(word) & table.mask;
  while (table.words[at] != 0 && table.words[at] != word) {
    at = (at + 1) & table.mask;
  }
  return at;
}

// With room for `count` words, half of it empty.
bool Make(WordTable& table, uint32_t count, bool numbered) {
  uint64_t capacity = 16;
  while (capacity < uint64_t{count} * 2) capacity *= 2;
  table.mask = capacity - 1;
  table.words = sys::ReserveArray<uint64_t>(capacity);
  if (numbered) table.numbers = sys::ReserveArray<uint32_t>(capacity);
  return table.words != nullptr && (!numbered || table.numbers != nullptr);
}

// The whole file in memory of our own, where nobody changes it any more; null =
// it cannot be read, or has more bytes than rules can have.
const char* ReadWhole(const char* path, size_t& bytes) {
  // What is no file may have nobody who writes it: that is not waited for.
  const long fd = sys::Call(SYS_open, sys::Arg(path),
                            O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (sys::Failed(fd)) return nullptr;
  struct stat about = {};
  char* text = nullptr;
  if (fstat(static_cast<int>(fd), &about) == 0 && S_ISREG(about.st_mode) &&
      about.st_size >= static_cast<off_t>(sizeof(abi::GuardRules)) &&
      static_cast<size_t>(about.st_size) <=
          abi::GuardRulesBytes(abi::kMaxGuardSites, abi::kMaxGuardPairs)) {
    bytes = static_cast<size_t>(about.st_size);
    text = static_cast<char*>(sys::Reserve(bytes));
  }
  size_t have = 0;
  while (text != nullptr && have < bytes) {
    const long got = sys::Call(SYS_read, fd, sys::Arg(text + have),
                               static_cast<long>(bytes - have));
    if (got <= 0) {
      text = nullptr;
    } else {
      have += static_cast<size_t>(got);
    }
  }
  sys::Call(SYS_close, fd);
  return text;
}

const char* WrongWith(const abi::GuardRules& header, size_t bytes) {
  if (memcmp(header.magic, abi::kGuardRulesMagic, sizeof(header.magic)) != 0) {
    return "the file of rules is none";
  }
  if (header.version != abi::kGuardRulesVersion) {
    return "the file of rules is of another version; write it again";
  }
  if (header.num_sites > abi::kMaxGuardSites ||
      header.num_pairs > abi::kMaxGuardPairs ||
      bytes != abi::GuardRulesBytes(header.num_sites, header.num_pairs)) {
    return "the file of rules is cut";
  }
  const auto* words = reinterpret_cast<const uint64_t*>(&header + 1);
  if (abi::GuardChecksum(words, header.num_sites + header.num_pairs) !=
      header.checksum) {
    return "the file of rules is damaged";
  }
  return nullptr;
}

bool Fill(Rules& made, const abi::GuardRules& header) {
  if (!Make(made.sites, header.num_sites, true)) return false;
  if (!Make(made.pairs, header.num_pairs, false)) return false;
  const auto* words = reinterpret_cast<const uint64_t*>(&header + 1);
  made.anchors = words;
  made.num_sites = header.num_sites;
  for (uint32_t i = 0; i < header.num_sites; ++i) {
    if (words[i] == 0) continue;
    const uint64_t at = PlaceIn(made.sites, words[i]);
    made.sites.words[at] = words[i];
    made.sites.numbers[at] = i + 1;
  }
  for (uint32_t i = 0; i < header.num_pairs; ++i) {
    const uint64_t pair = words[header.num_sites + i];
    if (pair != 0) made.pairs.words[PlaceIn(made.pairs, pair)] = pair;
  }
  return true;
}

}  // namespace

const char* ReadRulesUntrusted(const char* path) {
  size_t bytes = 0;
  const char* text = ReadWhole(path, bytes);
  if (text == nullptr) return "the file of rules cannot be read";
  const auto& header = *reinterpret_cast<const abi::GuardRules*>(text);
  if (const char* wrong = WrongWith(header, bytes)) return wrong;
  auto* made = static_cast<Rules*>(sys::Reserve(sizeof(Rules)));
  if (made == nullptr || !Fill(*made, header)) {
    return "there is no memory for the rules";
  }
  // Pairs with the acquire loads below: the tables are whole.
  __atomic_store_n(&rules, made, __ATOMIC_RELEASE);
  return nullptr;
}

uint32_t SiteNumber(uint64_t anchor) {
  const Rules& now = *__atomic_load_n(&rules, __ATOMIC_ACQUIRE);
  if (now.sites.words == nullptr || anchor == 0) return 0;
  return now.sites.numbers[PlaceIn(now.sites, anchor)];
}

uint64_t AnchorOf(uint32_t site) {
  const Rules& now = *__atomic_load_n(&rules, __ATOMIC_ACQUIRE);
  return site == 0 || site > now.num_sites ? 0 : now.anchors[site - 1];
}

uint32_t num_guarded_sites() {
  return __atomic_load_n(&rules, __ATOMIC_ACQUIRE)->num_sites;
}

bool IsAllowed(uint32_t site, uint32_t place) {
  const Rules& now = *__atomic_load_n(&rules, __ATOMIC_ACQUIRE);
  if (now.pairs.words == nullptr) return true;
  const uint64_t pair = abi::GuardPair(site, place);
  return now.pairs.words[PlaceIn(now.pairs, pair)] == pair;
}

}  // namespace fairlead::guard
