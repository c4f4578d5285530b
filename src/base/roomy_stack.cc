#include "base/roomy_stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

namespace fairlead {
namespace {

constexpr size_t kEnough = size_t{1} << 20;
constexpr size_t kRoom = size_t{8} << 20;

struct Roomy {
  const std::function<int()>& call;
  sigset_t mask;
  int result;
};

void* Run(void* argument) {
  auto* roomy = static_cast<Roomy*>(argument);
  pthread_sigmask(SIG_SETMASK, &roomy->mask, nullptr);
  roomy->result = roomy->call();
  return nullptr;
}

bool HasEnough() {
  rlimit limit = {};
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kEnough;
}

}  // namespace

int CallWithRoom(const std::function<int()>& call, int otherwise) {
  if (HasEnough()) return call();
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, kRoom);
  pthread_setattr_default_np(&attr);
  Roomy roomy = {.call = call, .mask = {}, .result = otherwise};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &roomy.mask);
  pthread_t thread;
  const int failed = pthread_create(&thread, &attr, Run, &roomy);
  pthread_attr_destroy(&attr);
  if (failed == 0) pthread_join(thread, nullptr);
  return roomy.result;
}

}  // namespace fairlead
