// Concurrent Collections: tasks get items that others put.
//
// A task that finds its item missing leaves itself with the item, and whoever
// puts the item resumes it.
//
// The bug: an item that is put between the look and the leaving has nobody to
// resume yet, and the task is forgotten.

#include <assert.h>

#include "../zoo.h"

namespace {

constexpr unsigned kTasks = 4;

struct Task {
  bool ran = false;
  unsigned result = 0;
};

struct Item {
  bool ready = false;       // atomic
  Task* waiting = nullptr;  // atomic
  unsigned value = 0;
};

Item items[kTasks];
Task tasks[kTasks];

void Run(Task* task, const Item& item) {
  task->result = item.value + zoo_compute(20, item.value) % 2;
  task->ran = true;
}

void Get(Task* task, Item& item) {
  if (__atomic_load_n(&item.ready, __ATOMIC_SEQ_CST)) {
    Run(task, item);
  } else {
    __atomic_store_n(&item.waiting, task, __ATOMIC_SEQ_CST);
  }
}

void Put(Item& item, unsigned value) {
  item.value = value;
  __atomic_store_n(&item.ready, true, __ATOMIC_SEQ_CST);
  Task* task = __atomic_load_n(&item.waiting, __ATOMIC_SEQ_CST);
  if (task != nullptr) Run(task, item);
}

void* Schedule(void*) {
  zoo_start();
  for (unsigned i = 0; i < kTasks; ++i) {
    Get(&tasks[i], items[i]);
    zoo_compute(500, i);
  }
  return nullptr;
}

void* Environment(void*) {
  zoo_start();
  zoo_device(15000);  // reads the input
  for (unsigned i = 0; i < kTasks; ++i) Put(items[i], i * 5);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Schedule, nullptr);
  const pthread_t two = zoo_spawn(Environment, nullptr);
  zoo_join(one);
  zoo_join(two);
  for (const Task& task : tasks) assert(task.ran);
  return 0;
}
