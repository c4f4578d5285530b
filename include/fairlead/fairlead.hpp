// fairlead/fairlead.hpp
//
// The calls of fairlead.h for C++: regions as objects, so that they end where
// they should when an exception leaves them. C++11 and later. The contracts are
// those of fairlead.h; everything is empty without a runtime.

#ifndef FAIRLEAD_FAIRLEAD_HPP_
#define FAIRLEAD_FAIRLEAD_HPP_

#include "fairlead.h"

namespace fairlead {

// Free of scheduling points while it lives. Belongs to the thread that made it.
class QuietRegion {
 public:
  QuietRegion() noexcept { fairlead_quiet_begin(); }
  ~QuietRegion() { fairlead_quiet_end(); }
  QuietRegion(const QuietRegion&) = delete;
  QuietRegion& operator=(const QuietRegion&) = delete;
};

// A unit of work while it lives, on all atomic sets or on those of one object.
// `name` must live as long.
class UnitOfWork {
 public:
  explicit UnitOfWork(const char* name) noexcept : name_(name) {
    fairlead_unit_begin(name_);
  }
  UnitOfWork(const char* name, const volatile void* object) noexcept
      : name_(name) {
    fairlead_unit_begin_on(name_, object);
  }
  ~UnitOfWork() { fairlead_unit_end(name_); }
  UnitOfWork(const UnitOfWork&) = delete;
  UnitOfWork& operator=(const UnitOfWork&) = delete;

 private:
  const char* name_;
};

// A request of a session, from its construction to Answer().
class Request {
 public:
  Request(uint64_t session, uint64_t number, const void* bytes,
          size_t size) noexcept
      : session_(session), number_(number) {
    fairlead_request_begin(session_, number_, bytes, size);
  }
  // A request that was not answered ends with an empty answer.
  ~Request() {
    if (!answered_) Answer(nullptr, 0);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  void Answer(const void* bytes, size_t size) noexcept {
    fairlead_request_end(session_, number_, bytes, size);
    answered_ = true;
  }
  // With the error that it ended with.
  void Fail(int64_t status, const void* bytes = nullptr,
            size_t size = 0) noexcept {
    fairlead_request_end_status(session_, number_, status, bytes, size);
    answered_ = true;
  }

 private:
  uint64_t session_;
  uint64_t number_;
  bool answered_ = false;
};

inline void ThreadName(const char* name) noexcept {
  fairlead_thread_name(name);
}

inline unsigned Choose(unsigned options) noexcept {
  return fairlead_choose(options);
}

// One of two, by choice of the strategy; false without a runtime.
inline bool Maybe() noexcept { return fairlead_choose(2) != 0; }

// Custom synchronisation over an object of the program.
template <typename T>
inline void Acquire(const T& object) noexcept {
  fairlead_acquire(&object);
}
template <typename T>
inline void Release(const T& object) noexcept {
  fairlead_release(&object);
}

// The object is meant to be raced on.
template <typename T>
inline void Benign(const T& object) noexcept {
  fairlead_benign(&object, sizeof object);
}

// The object is a member of an atomic set.
template <typename T>
inline void AddToSet(const char* set, const T& object) noexcept {
  fairlead_atomic_set_add(set, &object, sizeof object);
}

inline void Always(bool condition, const char* message) noexcept {
  fairlead_always(condition ? 1 : 0, message);
}
inline void Sometimes(bool condition, const char* message) noexcept {
  fairlead_sometimes(condition ? 1 : 0, message);
}
inline void Reachable(const char* message) noexcept {
  fairlead_reachable(message);
}

}  // namespace fairlead

#endif  // FAIRLEAD_FAIRLEAD_HPP_
