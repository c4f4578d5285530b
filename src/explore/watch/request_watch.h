// explore/watch/request_watch.h
//
// Reads the history of an execution's requests, and the state that they leave,
// out of its annotations. The state is that of the last fairlead_quiescent()
// after the last request has ended, before the program takes down what it has;
// where nobody calls it, that of the program's end.
//
// What cannot be judged by is said in `problem`: two requests of a session with
// one number, an end without a begin.

#ifndef FAIRLEAD_EXPLORE_WATCH_REQUEST_WATCH_H_
#define FAIRLEAD_EXPLORE_WATCH_REQUEST_WATCH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "explore/watch/program_state.h"
#include "lin/requests.h"

namespace fairlead::explore {

class RequestWatch final : public EventObserver {
 public:
  void OnEvent(const trace::Event& event) override;

  const lin::RequestHistory& history() const { return history_; }
  const lin::Components& state() const {
    return quiet_state_ ? *quiet_state_ : state_.components();
  }
  // By number; those that nobody has named are not in it.
  const std::map<uint64_t, std::string>& sessions() const { return sessions_; }

  // Why nothing can be judged by this history, in a sentence; "" = it can.
  const std::string& problem() const { return problem_; }

  // Components that were declared or said to change, and of these the ones that
  // did.
  const std::map<std::string, bool>& touched() const { return touched_; }
  // Components of which the calls said something else than the walk found.
  const std::set<std::string>& disagreeing() const { return disagreeing_; }

 private:
  void Begin(const trace::Event& event);
  void End(const trace::Event& event);
  void Change(const trace::Event& event);
  void Compare();

  lin::RequestHistory history_;
  // By session and number: index into history_, of those that have not ended.
  std::map<std::pair<uint64_t, uint64_t>, size_t> open_;
  std::set<std::pair<uint64_t, uint64_t>> seen_;
  std::map<uint64_t, std::string> sessions_;
  ProgramState state_;
  std::optional<lin::Components> quiet_state_;
  std::string problem_;
  std::map<std::string, bool> touched_;
  bool walking_ = false;         // changes are what walk functions find
  std::set<std::string> fed_;    // components that calls have changed
  lin::Components before_walk_;  // of these, those that are being walked
  std::set<std::string> disagreeing_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_REQUEST_WATCH_H_
