// zoo/monitor.h
//
// Java's monitors for the specimens that were Java: an object's lock, which its
// holder may take again, and the block that holds it.

#ifndef ZOO_MONITOR_H_
#define ZOO_MONITOR_H_

#include <pthread.h>

class Monitor {
 public:
  Monitor() {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex_, &kind);
    pthread_mutexattr_destroy(&kind);
  }
  Monitor(const Monitor&) = delete;
  void Enter() { pthread_mutex_lock(&mutex_); }
  void Leave() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

class Synchronized {
 public:
  explicit Synchronized(Monitor& monitor) : monitor_(monitor) {
    monitor_.Enter();
  }
  ~Synchronized() { monitor_.Leave(); }
  Synchronized(const Synchronized&) = delete;

 private:
  Monitor& monitor_;
};

#endif  // ZOO_MONITOR_H_
