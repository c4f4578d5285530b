// EXPECT: null
// A notifier is unregistered between the test of its callback and the call.
#include <pthread.h>
#include <stdlib.h>

struct notifier {
  void (*call)(struct notifier*, int);
  int events;
  int last;
};
static struct notifier chain[3];
static pthread_mutex_t chain_lock = PTHREAD_MUTEX_INITIALIZER;

static void count(struct notifier* n, int event) {
  n->events++;
  n->last = event;
}

static void raise_event(int event) {
#ifdef FIXED
  pthread_mutex_lock(&chain_lock);
#endif
  for (int i = 0; i < 3; ++i) {
    if (chain[i].call) chain[i].call(&chain[i], event);
  }
#ifdef FIXED
  pthread_mutex_unlock(&chain_lock);
#endif
}

static void unregister(int i) {
  pthread_mutex_lock(&chain_lock);
  chain[i].call = NULL;
  pthread_mutex_unlock(&chain_lock);
}

static void* netdev(void* unused) {
  raise_event(1);
  raise_event(2);
  return unused;
}
static void* module_exit(void* unused) {
  unregister(1);
  return unused;
}
int main(void) {
  for (int i = 0; i < 3; ++i) chain[i].call = count;
  pthread_t a, b;
  pthread_create(&a, NULL, netdev, NULL);
  pthread_create(&b, NULL, module_exit, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
