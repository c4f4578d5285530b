// MySQL #56324: how many threads are running a statement.
//
// The fix: the counter is atomic.

#include "../zoo.h"

namespace {

constexpr unsigned kStatements = 3;

volatile int threads_running;
unsigned rows[2][8];

void Begin() { __atomic_fetch_add(&threads_running, 1, __ATOMIC_SEQ_CST); }
void End() { __atomic_fetch_sub(&threads_running, 1, __ATOMIC_SEQ_CST); }

void RunStatement(unsigned* own_rows, unsigned statement) {
  for (unsigned i = 0; i < 8; ++i) {
    own_rows[i] += zoo_compute(50, statement + i) % 7;
  }
}

struct Connection {
  unsigned delay_us;
  unsigned* rows;
};

void* Serve(void* argument) {
  const auto* connection = static_cast<Connection*>(argument);
  zoo_start();
  zoo_device(connection->delay_us);
  for (unsigned statement = 0; statement < kStatements; ++statement) {
    Begin();
    RunStatement(connection->rows, statement);
    End();
  }
  return nullptr;
}

}  // namespace

int main() {
  Connection connections[2] = {{0, rows[0]}, {20000, rows[1]}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Serve, &connections[0]);
  const pthread_t two = zoo_spawn(Serve, &connections[1]);
  zoo_join(one);
  zoo_join(two);
  if (threads_running != 0) zoo_wrong("threads running", threads_running, 0);
  return 0;
}
