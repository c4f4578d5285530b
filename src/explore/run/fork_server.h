// explore/run/fork_server.h
//
// The tool's side of one fork server (runtime/fork_server.cc): a process of the
// program that stands where its executions begin and forks a child for each.
// One execution at a time. Never waits, except where it says so.

#ifndef FAIRLEAD_EXPLORE_RUN_FORK_SERVER_H_
#define FAIRLEAD_EXPLORE_RUN_FORK_SERVER_H_

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "explore/run/futexes.h"
#include "explore/run/runner.h"

namespace fairlead::explore {

class ForkServer {
 public:
  // Starts the process in `directory` ("" = ours); it is not standing yet. What
  // it prints goes to `captured`, which must outlive it.
  static Result<std::unique_ptr<ForkServer>> Start(
      const Setting& setting, ForkAt place, Captured& captured,
      const std::string& directory);
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;
  ~ForkServer();

  // Waits until it stands. Fails if it cannot.
  Status AwaitStanding();

  Status Begin(const Task& task);

  bool busy() const { return busy_; }
  // Takes some records of the execution; at most kMaxDrained, and those of
  // what came ahead of it.
  void Drain();
  // Whether the execution is over, its process reaped.
  bool Done() const;
  // The process that executes; 0 = none, or not yet. What the page says is
  // believed only of a child of the server.
  pid_t child();
  const ControlMemory& memory() const { return *server_.memory(); }
  // Whether the server itself is gone.
  bool Lost() { return server_.Ended(); }
  // Whether somebody has written over the words that we and it share: whatever
  // it does now, it has to be replaced.
  bool Damaged();
  void StopIfLate();
  void Stop(StoppedBy reason);

  // Behind `Done` or `Lost`: what the execution left.
  Executed Finish();
  // Behind `Lost`: how the server ended, in words.
  std::string EndingText();

  // Adds what to sleep on while the execution runs. False when there is no need
  // to sleep. `EndWait` afterwards.
  bool BeginWait(std::vector<FutexWord>& words);
  void EndWait();

 private:
  // Keeps the records of what the program does ahead of the server's place.
  class Prefix final : public RecordObserver {
   public:
    void OnRecords(std::span<const abi::Event> records,
                   const ControlMemory& memory) override;
    std::vector<abi::Event> records;
  };

  ForkServer(const Setting& setting, Captured& captured,
             std::unique_ptr<Prefix> prefix, Running server);

  void KillChild();
  bool IsOurChild(pid_t process);
  bool TakeRecords();

  abi::Server& page() const { return server_.memory()->page().server; }

  Program program_;
  Captured& captured_;
  std::unique_ptr<Prefix> prefix_;
  Running server_;

  bool busy_ = false;
  bool traced_ = false;
  bool told_prefix_ = false;
  RecordObserver* observer_ = nullptr;
  std::optional<RingReader> reader_;
  ExecutionLimit limit_;
  StoppedBy stopped_by_ = StoppedBy::kNobody;
  uint32_t command_ = 0;
  pid_t child_ = 0;  // last known to be the server's
  // Of the last execution.
  std::vector<uint64_t> idle_sites_;
  std::vector<uint64_t> ordered_sites_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_FORK_SERVER_H_
