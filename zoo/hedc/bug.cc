// hedc: a meta search asks several archives, and gives up on slow ones.
//
// A task knows the worker that runs it, and forgets it at its end.
//
// The bug: Cancel tests the worker and interrupts it, without the task's lock.

#include "../monitor.h"
#include "../zoo.h"

namespace {

struct Worker {
  int interrupted = 0;  // atomic
};

class Task {
 public:
  void Run(Worker* worker) {
    SetWorker(worker);
    for (unsigned i = 0; i < 10; ++i) {
      if (__atomic_load_n(&worker->interrupted, __ATOMIC_SEQ_CST)) break;
      results_[i] = zoo_compute(100, i);
    }
    SetWorker(nullptr);
  }

  void Cancel() {
    if (worker_ != nullptr) {
      __atomic_store_n(&worker_->interrupted, 1, __ATOMIC_SEQ_CST);
    }
  }

 private:
  void SetWorker(Worker* worker) {
    Synchronized here(monitor_);
    worker_ = worker;
  }

  Monitor monitor_;
  Worker* volatile worker_ = nullptr;
  unsigned results_[10] = {};
};

Task task;
Worker worker_of_task;

void* RunTask(void*) {
  zoo_start();
  task.Run(&worker_of_task);
  return nullptr;
}

void* GiveUp(void*) {
  zoo_start();
  zoo_device(15000);  // the time that an archive has
  task.Cancel();
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(RunTask, nullptr);
  const pthread_t two = zoo_spawn(GiveUp, nullptr);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
