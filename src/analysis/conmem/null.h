// analysis/conmem/null.h
//
// Con-NULL (ConMem, section 4.2): one thread sets a pointer to null, another
// reads it for use. Predicted when the null could come first with no other
// write between the two.
//
// Not reported, since another schedule cannot do it:
//
//   ordered    the read is ordered before the null; or the null before the
//              reader's own last write; or the writer's next write before the
//              read (of all writes that could lie between, these two are
//              looked at, as in the paper)
//   covered    the reader's own last write and the read are in one critical
//              section, or the null and the writer's next write, and the other
//              one holds that lock
//   made so    the null is ordered before the read, and a library wrote it: a
//              smart pointer or container that was empty at first
//   checked    the reader has read the pointer before in the section that it
//              reads it in, and the null needs that lock: it would have seen it
//
// A thread that finds a null which it could have come ahead of, at a place
// where it does not use it, may use the pointer once it finds one; such a
// prediction is unlikely: forced, and told if it shows something.
//
// So is one about a count that a thread found to be zero too late
// (analysis/conmem/emptied.h): what there is none of is often a null.
//
// A load is for use by analysis/conmem/derefs.h. A place that has read null and
// went on is a check; if the compiler says that it is none, a use is unlikely.
//
// A place that is passed for many pointers is also foreseen for the very pass
// that was seen there: who takes a node out of a list and then clears it leaves
// no way there for others. That is unlikely.
//
// Predictions are reported at the end, since a later write may cover, and a
// later null make a check of a place.
// Differs from the paper: the compiler tells checks from uses; "checked".
// Unsound: of one location, kMost nulls and reads are kept; what memset or a
// struct copy clears is a null in its first 512 bytes only, and only of
// pointers that were read before.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_NULL_H_
#define FAIRLEAD_ANALYSIS_CONMEM_NULL_H_

#include <array>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/conmem/before.h"
#include "analysis/conmem/derefs.h"
#include "analysis/conmem/emptied.h"
#include "order/byte_ranges.h"
#include "order/object_table.h"

namespace fairlead::analysis {

class Null final : public Analysis {
 public:
  std::string_view name() const override { return "null"; }
  void OnBegin(trace::ProgramTables& tables) override { tables_ = &tables; }
  void OnAccess(const trace::Event& event, order::Model& order,
                PredictionSink& out) override;
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;
  void OnEnd(PredictionSink& out) override;

 private:
  static constexpr size_t kMost = 8;
  static constexpr size_t kMaxSuspects = 10000;

  enum class By : uint8_t { kStore, kRange };  // one pointer, or many bytes
  struct Write {
    order::Spot spot;
    uint32_t weak = 0;
    order::LocksetId locks = {};
    bool library = false;  // a container's or smart pointer's own
    By by = By::kStore;
    uint64_t hold = 0;  // SiteKey of the first lock held; 0 = none
    // The next write of its thread: 0 = none so far.
    uint64_t next = 0;
    uint32_t next_weak = 0;
    order::LocksetId over = {};  // held from this write to the next
    std::vector<size_t> suspects = {};
  };
  struct Read {
    order::Spot spot;
    uint64_t location = 0;
    uint32_t weak = 0;
    order::LocksetId locks = {};
    uint64_t own_write = 0;             // seq of the last one; 0 = none
    order::LocksetId since_write = {};  // held over both
    order::LocksetId since_read = {};   // … over its last read and this
    uint64_t hold = 0;
    conmem::KnownBefore knew = {};  // by its thread
    order::Spot check = {};         // its thread's last read; site 0 = none
    bool certain = false;           // the compiler says that it is no check
    uint32_t pass = 0;              // of its thread over its place, from 1
  };
  struct Own {  // of one thread
    Tid tid = Tid::kNone;
    uint64_t write = 0;     // seq of its last one; 0 = none
    order::Spot read = {};  // its last one; seq 0 = none
  };
  struct Location {
    std::vector<Write> nulls;  // the last of each thread and place
    std::vector<Read> uses;
    std::vector<Own> own;
    bool pointed = false;  // it has been no null
  };
  // A thread has read a null that it could have come ahead of.
  struct Late {
    uint64_t location = 0;
    order::Spot read;
    order::Spot null;
    uint64_t hold = 0;  // of the null
  };
  struct Suspect {
    uint64_t location = 0;
    order::Spot null;
    Read read;
    bool covered = false;
    bool likely = true;
    By by = By::kStore;
  };

  static constexpr size_t kMostLate = 50;
  // Of a place that is passed for many pointers, what is foreseen of one pass.
  static constexpr uint32_t kLastPass = 16;
  static constexpr size_t kMostPasses = 8;

  void OnNull(const trace::Event& event, order::Model& order);
  uint32_t PassOf(const trace::Event& event);
  void Report(const Suspect& suspect, bool went_on, uint32_t pass,
              PredictionSink& out);
  void ReportLate(PredictionSink& out);
  void ReportEmptied(PredictionSink& out);
  static Own& OwnOf(Location& location, Tid tid);
  void OnRead(const trace::Event& event, order::Model& order);
  void OnWrite(const trace::Event& event, order::Model& order, By by);
  void OnRange(const trace::Event& event, order::Model& order);
  void OnUse(const Read& read, order::Model& order);
  // `later` is the thread of the later of the two.
  void Judge(Write& null, const Read& read, Tid later, order::Model& order);

  trace::ProgramTables* tables_ = nullptr;
  order::ObjectTable<Location> locations_;
  conmem::Derefs<Read> derefs_;
  conmem::Before before_;
  conmem::Emptied emptied_;
  std::unordered_set<uint64_t> checks_;  // keys of places that read null
  std::array<uint64_t, 256> recent_checks_ = {};  // some of them
  std::vector<std::vector<uint32_t>> passes_;     // by thread and site
  std::vector<Suspect> suspects_;
  std::vector<Late> late_;
  order::ByteRanges statics_;  // set before the first event
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_CONMEM_NULL_H_
