// explore/judge/oracles.h
//
// Judges finished executions by all oracles there are: each execution is ok,
// failed, or cut short. What became of it decides whether there is anything to
// be judged; then the oracles are asked in the order of oracles.inc, and the
// first answer counts. A failure that does not count, since it is suppressed,
// does not keep the next ones from being asked.

#ifndef FAIRLEAD_EXPLORE_JUDGE_ORACLES_H_
#define FAIRLEAD_EXPLORE_JUDGE_ORACLES_H_

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "explore/judge/oracle.h"
#include "explore/watch/watched.h"

namespace fairlead::explore {

class Oracles {
 public:
  // `references` must outlive them; null = nothing is compared with references.
  explicit Oracles(Expectations expectations,
                   SerialReferences* references = nullptr);

  // From a list, in the order of asking.
  static Oracles Of(std::vector<std::unique_ptr<Oracle>> list) {
    return Oracles(AsTheyAre::kYes, std::move(list));
  }

  // Lets the oracles that go by events see those of an execution that is to be.
  void Watch(Watched& watched);

  // `watched` was given to `Watch` before the execution began; null = its
  // events were not seen.
  Judgement Judge(const Finished& finished, const Watched* watched = nullptr);

  // Failures of this key do not count: they are told only where there is no
  // other one.
  void Silence(uint64_t key) { silent_.insert(key); }

  // Whether an execution can be a reference: it came to its end, and no oracle
  // that goes by the execution alone finds anything that counts.
  bool CanBeReference(const Finished& finished,
                      const Watched* watched = nullptr);

  // What the oracles together compare of serial references.
  ReferenceNeeds needs() const { return needs_; }

 private:
  enum class AsTheyAre { kYes };
  Oracles(AsTheyAre, std::vector<std::unique_ptr<Oracle>> list);

  struct Asked {
    Judgement judgement;
    bool all = false;  // all that were to be asked were
  };
  Asked Ask(const Finished& finished, const Watched* watched,
            size_t num_to_ask);

  std::vector<std::unique_ptr<Oracle>> list_;
  size_t num_alone_;  // of them, that come before any with references
  ReferenceNeeds needs_;
  std::set<uint64_t> silent_;  // keys
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_ORACLES_H_
