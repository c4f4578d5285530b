#include "runtime/outside/registrations.h"

#include <stdint.h>

namespace fairlead::rt {
namespace {

struct Registration {
  int epoll;
  int fd;
  uint64_t data;
};

// More than servers under test have connections; beyond, events are kept with
// the program's own data.
constexpr size_t kMost = 4096;
Registration registrations[kMost];
size_t num_registrations = 0;

// In a schedule: the rest is the number of a descriptor.
constexpr uint64_t kNamesDescriptor = uint64_t{0xfa1d} << 48;
constexpr uint64_t kTag = uint64_t{0xffff} << 48;

Registration* Find(int epoll, int fd) {
  for (size_t i = 0; i < num_registrations; ++i) {
    Registration& registration = registrations[i];
    if (registration.epoll == epoll && registration.fd == fd) {
      return &registration;
    }
  }
  return nullptr;
}

void Remove(size_t index) {
  registrations[index] = registrations[--num_registrations];
}

}  // namespace

void Register(int epoll, int what, int fd, const epoll_event* event) {
  Registration* found = Find(epoll, fd);
  if (what == EPOLL_CTL_DEL) {
    if (found != nullptr) {
      Remove(static_cast<size_t>(found - registrations));
    }
    return;
  }
  if (event == nullptr) return;
  if (found == nullptr) {
    if (num_registrations == kMost) return;
    found = &registrations[num_registrations++];
  }
  *found = {epoll, fd, event->data.u64};
}

void Unregister(int fd) {
  for (size_t i = num_registrations; i-- > 0;) {
    if (registrations[i].fd == fd || registrations[i].epoll == fd) Remove(i);
  }
}

void ForEachRegistered(int epoll, void (*visit)(int fd, void* argument),
                       void* argument) {
  for (size_t i = 0; i < num_registrations; ++i) {
    if (registrations[i].epoll == epoll) visit(registrations[i].fd, argument);
  }
}

// Where several have the same data, one is as good as another.
epoll_event ToSchedule(int epoll, const epoll_event& event) {
  epoll_event kept = event;
  for (size_t i = 0; i < num_registrations; ++i) {
    const Registration& registration = registrations[i];
    if (registration.epoll == epoll && registration.data == event.data.u64) {
      kept.data.u64 = kNamesDescriptor | static_cast<uint32_t>(registration.fd);
      break;
    }
  }
  return kept;
}

epoll_event FromSchedule(int epoll, const epoll_event& event) {
  epoll_event seen = event;
  if ((event.data.u64 & kTag) != kNamesDescriptor) return seen;
  const Registration* found =
      Find(epoll, static_cast<int>(event.data.u64 & 0xffffffff));
  if (found != nullptr) seen.data.u64 = found->data;
  return seen;
}

}  // namespace fairlead::rt
