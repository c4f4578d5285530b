// Each of two requests waits for the other: served one at a time, either waits
// for ever.
//
// Expected: unknown, every order blocks.

#include <condition_variable>
#include <mutex>

#include "served.h"

std::mutex lock;
std::condition_variable came;
int num_here = 0;

int main() {
  AskBoth({"meet"}, {"meet"}, [](const std::string&) -> Reply {
    std::unique_lock hold(lock);
    ++num_here;
    came.notify_all();
    came.wait(hold, [] { return num_here == 2; });
    return {"met"};
  });
}
