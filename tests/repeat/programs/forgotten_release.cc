// Nobody gives back what it has taken: that is the program's own bug, whoever
// wrote the semaphore.
//
// FINDS: lost-wakeup
// SAYS: waits
// SAYS NOT: a bug of the C++ library
// OPTIONS: --executions 50
// SEEDS: 1

#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<2> room(1);
  const auto work = [&] { room.acquire(); };  // wrong: no release
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}
