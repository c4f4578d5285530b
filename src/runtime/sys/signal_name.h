// runtime/sys/signal_name.h
//
// What a signal is called in reports.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_SIGNAL_NAME_H_
#define FAIRLEAD_RUNTIME_SYS_SIGNAL_NAME_H_

namespace fairlead::rt {

// SIGUSR1, or SIGRTMIN+3.
class SignalName {
 public:
  explicit SignalName(int signal);
  const char* c_str() const { return name_; }

 private:
  char name_[16];
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_SIGNAL_NAME_H_
