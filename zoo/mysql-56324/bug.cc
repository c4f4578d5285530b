// MySQL #56324: how many threads are running a statement.
//
// The bug: the counter is incremented and decremented without a lock. An
// update is lost, and the status stays wrong for ever.

#include "../zoo.h"

namespace {

constexpr unsigned kStatements = 3;

volatile int threads_running;
unsigned rows[2][8];

void Begin() { threads_running = threads_running + 1; }
void End() { threads_running = threads_running - 1; }

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
