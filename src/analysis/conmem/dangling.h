// analysis/conmem/dangling.h
//
// Con-Dangling (ConMem: Zhang, Sun and Lu, ASPLOS 2010, section 4.4): what one
// thread ends, another one could still use. Ends are free, delete, realloc,
// munmap, the destruction of a mutex and its like, and the closing of a
// descriptor. Judged by order alone (the weak order, order/model.h): a lock
// around both does not keep the end from coming first.
//
// Not reported, since another schedule cannot do it:
//
//   ordered     the use is ordered before the end
//   handed      the user has stored the pointer where the one who ends it found
//               it, after the use
//   counted     the block has a counter that both threads took down, the use is
//               between the user's own up and down (or the user had a
//               reference from the start, as it took down more than up), and
//               the last one to take it down ends it
//   unlinked    the user read the pointer, or the one that leads there, in the
//               critical section that it uses the block in, and before the end
//               that pointer is overwritten under the same lock, or the end
//               itself is: so the section finds the block before, and does not
//               find it afterwards
//
// An increment is judged without atomics: it comes before everything that
// counting protects, and so is what may come too late.
//
// What the one who ends it has read from the user after the use (told.h) makes
// it unlikely, as do descriptors, since what passes through them is no order.
//
// Differs from the paper: several uses of each thread; the rules besides
// "ordered"; more ends than free.
// Unsound: uses by code that was not compiled with us are not seen.
// Incomplete: values may keep the end from coming first. Forcing tells.
//
// Who finds a pointer gone could have come before, and then the block would be
// freed while it has the pointer (conmem::Missed). That is unlikely: it does
// not show what the thread would have done with it.
//
// Frames that were returned from, and stacks and thread-local storage of
// threads that ended: analysis/conmem/stack_uses.h. Unlikely, too.
//
// A second free, which only another schedule would come to, is foreseen by
// analysis/conmem/twice.h.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_DANGLING_H_
#define FAIRLEAD_ANALYSIS_CONMEM_DANGLING_H_

#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/conmem/lives.h"
#include "analysis/conmem/stack_uses.h"
#include "analysis/conmem/told.h"
#include "analysis/conmem/twice.h"
#include "analysis/site_pairs.h"

namespace fairlead::analysis {

class Dangling final : public Analysis {
 public:
  std::string_view name() const override { return "dangling"; }
  void OnBegin(trace::ProgramTables& tables) override {
    twice_.OnBegin(tables);
  }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;
  void OnEnd(PredictionSink& out) override;

 private:
  // Of each thread, so many uses are reported for one end.
  static constexpr size_t kReportsOfThread = 2;
  // Of an execution, so many blocks are reported whose pointer was gone.
  static constexpr size_t kMostMissed = 50;
  // … so many uses of another thread's stack.
  static constexpr size_t kMostOnStacks = 4;

  // The end at hand.
  struct End {
    const trace::Event& event;
    order::Spot spot;
    std::string_view kind;
    order::Model& order;
    PredictionSink& out;
  };
  using Uses = std::vector<conmem::Use>;

  void OnSync(const trace::Event& event, order::Model& order,
              PredictionSink& out);
  void OnDescriptor(const trace::Event& event, order::Model& order,
                    PredictionSink& out);
  static void Keep(Uses& uses, const trace::Event& event, order::Model& order);
  // `life` may be null: of what is no block.
  void JudgeAll(const Uses& uses, const conmem::Life* life, const End& end);
  bool MayComeLater(const conmem::Use& use, const conmem::Life* life,
                    const End& end);
  bool IsUnlinked(const conmem::Use& use, const End& end);
  void Report(const conmem::Use& use, const conmem::Life* life, const End& end);
  void ReportMissed(const conmem::Missed& missed, PredictionSink& out);
  void ReportTwice(const conmem::FreedTwice& twice, PredictionSink& out);
  void ReportOnStack(const conmem::LateOnStack& late, PredictionSink& out);

  conmem::Lives lives_;
  conmem::Told told_;
  conmem::Twice twice_;
  conmem::StackUses stacks_;
  order::ObjectTable<Uses> primitives_;             // by address
  std::unordered_map<uint64_t, Uses> descriptors_;  // by number
  SitePairs reported_;
  size_t num_missed_ = 0;
  size_t num_on_stacks_ = 0;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_CONMEM_DANGLING_H_
