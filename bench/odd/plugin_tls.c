// A plugin with thread-local storage and a constructor is opened, used by
// threads, closed and opened again.
// FLAGS: -O2
// ALSO: -O2 -shared -fPIC -DPLUGIN plugin_tls.so

#ifdef PLUGIN

static __thread int calls = 100;
static int loaded;
__attribute__((constructor)) static void begin(void) { loaded = 7; }
int call(int n) {
  calls += n;
  return calls * 10 + loaded;
}

#else

#include <dlfcn.h>
#include <libgen.h>

#include "want.h"

static int (*call)(int);
static pthread_barrier_t phase;

static void* user(void* number) {
  int last = 0;
  for (int i = 0; i < 3; i++) last = call((int)(long)number);
  pthread_barrier_wait(&phase);  // All have used it; now it is closed.
  pthread_barrier_wait(&phase);
  return (void*)(long)last;
}

int main(int count, char** arguments) {
  char path[4096];
  (void)count;
  snprintf(path, sizeof(path), "%s/plugin_tls.so", dirname(arguments[0]));
  pthread_barrier_init(&phase, NULL, 4);
  for (int round = 0; round < 3; round++) {
    void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) fputs(dlerror(), stderr);
    want(plugin != NULL);
    call = (int (*)(int))dlsym(plugin, "call");
    want(call != NULL && dlsym(plugin, "no_such") == NULL);
    want(dlerror() != NULL);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) threads[i] = start(user, (void*)i);
    pthread_barrier_wait(&phase);
    want(dlclose(plugin) == 0);
    pthread_barrier_wait(&phase);
    for (int i = 0; i < 3; i++) printf("%ld ", (long)finish(threads[i]));
  }
  putchar('\n');
  return 0;
}

#endif
