// runtime/outside/registrations.h
//
// What the program has told epoll to hand back with the events of a descriptor:
// mostly addresses, which differ from process to process. In a schedule an
// event therefore names its descriptor, and a followed one gets what the
// program has registered for that.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_REGISTRATIONS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_REGISTRATIONS_H_

#include <stddef.h>
#include <sys/epoll.h>

namespace fairlead::rt {

// epoll_ctl has been called.
void Register(int epoll, int what, int fd, const epoll_event* event);
// `fd` has been closed.
void Unregister(int fd);

// Calls `visit(fd, argument)` for each descriptor in `epoll`.
void ForEachRegistered(int epoll, void (*visit)(int fd, void* argument),
                       void* argument);

// Between what the program sees and what a schedule keeps.
epoll_event ToSchedule(int epoll, const epoll_event& event);
epoll_event FromSchedule(int epoll, const epoll_event& event);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_REGISTRATIONS_H_
