// Two threads take turns by a semaphore: right. That of libstdc++ 12 may sleep
// although it is free, if its last try failed since another thread was faster;
// whoever reads of that should know that it is the library's. Another library
// may be right.
//
// SAYS: a bug of the C++ library, not of the program
// OPTIONS: --executions 300
// SEEDS: 2

#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<2> room(1);
  int inside = 0;
  int most = 0;
  const auto work = [&] {
    room.acquire();
    if (++inside > most) most = inside;
    --inside;
    room.release();
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return most == 1 ? 0 : 1;
}
