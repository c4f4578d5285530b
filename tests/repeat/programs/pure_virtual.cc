// A virtual function of an object that is being destroyed.
//
// OPTIONS: --executions 200
// FINDS: abort

#include <atomic>
#include <thread>

struct Task {
  virtual ~Task() { gone = true; }
  virtual void Run() = 0;
  std::atomic<bool> gone{false};
};
struct Print : Task {
  void Run() override { ++runs; }
  int runs = 0;
};

int main() {
  alignas(Print) unsigned char room[sizeof(Print)];
  Task* task = new (room) Print;
  std::thread user([&] {
    if (!task->gone) task->Run();
  });
  task->~Task();
  user.join();
}
