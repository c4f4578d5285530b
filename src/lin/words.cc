// What histories call the operations of each model.

#include "lin/model.h"

namespace fairlead::lin {
namespace {

struct Word {
  std::string_view word;
  Call call;
};
struct Vocabulary {
  std::string_view model;
  std::vector<Word> words;
};

const std::vector<Vocabulary>& Vocabularies() {
  static const std::vector<Word> kLine = {
      {"enqueue", Call::kPush}, {"enq", Call::kPush}, {"push", Call::kPush},
      {"add", Call::kPush},     {"put", Call::kPush}, {"offer", Call::kPush},
      {"dequeue", Call::kPop},  {"deq", Call::kPop},  {"pop", Call::kPop},
      {"poll", Call::kPop},     {"take", Call::kPop}, {"remove", Call::kPop},
      {"peek", Call::kRead},    {"top", Call::kRead}, {"front", Call::kRead}};
  static const std::vector<Vocabulary> kAll = {
      {"register",
       {{"read", Call::kRead},
        {"get", Call::kRead},
        {"write", Call::kWrite},
        {"set", Call::kWrite},
        {"put", Call::kWrite},
        {"cas", Call::kCas},
        {"compare-and-set", Call::kCas}}},
      {"key-value",
       {{"get", Call::kRead},
        {"read", Call::kRead},
        {"put", Call::kWrite},
        {"set", Call::kWrite},
        {"write", Call::kWrite},
        {"append", Call::kAppend},
        {"delete", Call::kDelete},
        {"remove", Call::kDelete},
        {"cas", Call::kCas}}},
      {"queue", kLine},
      {"stack", kLine},
      {"set",
       {{"add", Call::kAdd},
        {"insert", Call::kAdd},
        {"remove", Call::kRemove},
        {"delete", Call::kRemove},
        {"contains", Call::kContains},
        {"has", Call::kContains},
        {"read", Call::kRead}}},
      {"mutex",
       {{"acquire", Call::kAcquire},
        {"lock", Call::kAcquire},
        {"release", Call::kRelease},
        {"unlock", Call::kRelease}}},
      {"counter",
       {{"read", Call::kRead},
        {"get", Call::kRead},
        {"add", Call::kIncrease},
        {"inc", Call::kIncrease},
        {"increment", Call::kIncrease},
        {"incr", Call::kIncrease},
        {"sub", Call::kIncrease},
        {"dec", Call::kIncrease},
        {"decr", Call::kIncrease},
        {"decrement", Call::kIncrease}}},
  };
  return kAll;
}

}  // namespace

std::optional<Call> CallOf(const ModelKind& kind, std::string_view word) {
  for (const Vocabulary& vocabulary : Vocabularies()) {
    if (vocabulary.model != kind.name) continue;
    for (const Word& known : vocabulary.words) {
      if (known.word == word) return known.call;
    }
  }
  return std::nullopt;
}

}  // namespace fairlead::lin
