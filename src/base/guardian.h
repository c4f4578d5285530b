// base/guardian.h
//
// What must not be left behind when we are killed without a chance to clean up
// (SIGKILL, a crash): process groups that we have started, and files that are
// only half written. A small process of ours, made when the first of them is
// registered, waits until we are gone, by whatever way; then it ends the groups
// and removes the files that are still registered, and ends itself. It is in a
// session of its own, so that what ends us does not end it, and holds none of
// our descriptors.
//
// Groups have keepers of their own (base/keeper.h), which reach further; this
// is for when the keeper was killed, too.
//
// Threads: any.

#ifndef FAIRLEAD_BASE_GUARDIAN_H_
#define FAIRLEAD_BASE_GUARDIAN_H_

#include <sys/types.h>

#include <string>

namespace fairlead {

// A place for one process group in the guardian's list.
class GuardedGroup {
 public:
  GuardedGroup();  // takes a place; none is left: the group is not guarded
  GuardedGroup(GuardedGroup&& other) noexcept;
  GuardedGroup& operator=(GuardedGroup&&) = delete;
  ~GuardedGroup();  // gives it back: the group is gone

  // Registers the calling process as the leader of the group. Called in the
  // child, before it runs the program; async-signal-safe.
  void EnterSelf() const;

 private:
  pid_t*
      place_;  // in memory that the child and the guardian share; may be null
};

// A file that is removed unless this ends first.
class GuardedFile {
 public:
  explicit GuardedFile(const std::string& path);
  GuardedFile(GuardedFile&& other) noexcept;
  GuardedFile& operator=(GuardedFile&&) = delete;
  ~GuardedFile() { Release(); }

  void Release();

 private:
  char* place_;  // may be null
};

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_GUARDIAN_H_
