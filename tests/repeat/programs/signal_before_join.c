// A thread sends another one a signal. The kernel lets nobody out of a call
// while a signal is pending for him: behind the join, and behind the lock, the
// handler has run; and it has run in a thread whose routine has ended.
//
// RUNS:
// SEEDS: 12

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t receiver;
static atomic_int handled;
static atomic_int sent;

static void handler(int number) {
  (void)number;
  handled++;
}

static void* send(void* unused) {
  pthread_kill(receiver, SIGUSR1);
  sent = 1;
  return unused;
}

static void* receive(void* unused) {
  while (!sent) {
  }
  return unused;  // and no call behind the signal
}

static int sent_while_joining(void) {
  pthread_t sender;
  receiver = pthread_self();
  pthread_create(&sender, 0, send, 0);
  pthread_join(sender, 0);
  return handled == 1;
}

static int sent_before_lock(void) {
  pthread_t sender;
  sent = 0;
  pthread_create(&sender, 0, send, 0);
  while (!sent) {
  }
  pthread_mutex_lock(&mutex);
  const int seen = handled;
  pthread_mutex_unlock(&mutex);
  pthread_join(sender, 0);
  return seen == 2;
}

static int sent_before_end(void) {
  pthread_t sender, target;
  sent = 0;
  pthread_create(&target, 0, receive, 0);
  receiver = target;
  pthread_create(&sender, 0, send, 0);
  pthread_join(target, 0);
  pthread_join(sender, 0);
  return handled == 3;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, 0);
  if (!sent_while_joining()) return 3;
  if (!sent_before_lock()) return 4;
  return sent_before_end() ? 0 : 5;
}
