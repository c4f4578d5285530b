// A static constructor frees blocks, as GoogleTest's registration of tests
// does. With points ahead of frees, main has come to the gate by then in a
// process of its own, and not in an execution of the fork server, which has run
// constructors by another plan: a schedule counts from main on.
//
// FINDS: exit
// OPTIONS: --executions 200
// SEEDS: 1

#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.emplace_back(100, 'a' + i % 26);
  return names;
}

size_t total = Names().size() + Names().size();

std::mutex mutex;
bool started = false;
int starts = 0;

void Start() {
  {
    std::lock_guard lock(mutex);
    if (started) return;
  }
  std::lock_guard lock(mutex);
  ++starts;
  started = true;
}

int main() {
  std::thread a(Start), b(Start);
  a.join();
  b.join();
  return starts == 1 && total == 80 ? 0 : 1;
}
