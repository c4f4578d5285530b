// MySQL #3596: the list of connections and a statement that ends.
//
// SHOW PROCESSLIST walks over the connections and copies what each is doing.
// The connection clears `proc_info` when its statement ends. The lister holds
// the lock of the list, which a connection does not take for its own fields.
//
// The fix: the lister reads `proc_info` once, atomically, and uses that copy.

#include "../zoo.h"

namespace {

struct Connection {
  unsigned id = 0;
  unsigned rows = 0;
  const char* volatile proc_info = nullptr;  // what it does now; null = idle
  Connection* next = nullptr;
};

struct Row {
  unsigned id = 0;
  char state[32] = "";
};

pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
Connection* connections;  // under list_lock
Row listing[2][4];

void SetInfo(Connection* connection, const char* info) {
  __atomic_store_n(&connection->proc_info, info, __ATOMIC_RELEASE);
}

void RunStatement(Connection* connection, unsigned statement) {
  SetInfo(connection, "Opening tables");
  connection->rows += zoo_compute(200, statement) % 10;
  SetInfo(connection, "Locked");
  zoo_device(300);
  SetInfo(connection, "Sending data");
  for (unsigned i = 0; i < 20; ++i) connection->rows += i % 3;
  SetInfo(connection, nullptr);
}

void* Serve(void* argument) {
  auto* connection = static_cast<Connection*>(argument);
  zoo_start();
  for (unsigned statement = 1; statement <= 3; ++statement) {
    RunStatement(connection, statement);
    zoo_device(2000);  // the client thinks
  }
  return nullptr;
}

void CopyState(Row* row, const Connection* connection) {
  const char* const info =
      __atomic_load_n(&connection->proc_info, __ATOMIC_ACQUIRE);
  if (info != nullptr) {
    const size_t length = strlen(info);
    memcpy(row->state, info, length + 1);
  }
}

unsigned ListProcesses(Row* rows) {
  unsigned num_rows = 0;
  pthread_mutex_lock(&list_lock);
  for (const Connection* c = connections; c != nullptr; c = c->next) {
    rows[num_rows].id = c->id;
    CopyState(&rows[num_rows], c);
    ++num_rows;
  }
  pthread_mutex_unlock(&list_lock);
  return num_rows;
}

void* Monitor(void*) {
  zoo_start();
  for (unsigned round = 0; round < 2; ++round) {
    zoo_device(1200);
    const unsigned num_rows = ListProcesses(listing[round]);
    if (num_rows != 2) zoo_wrong("rows of the listing", num_rows, 2);
  }
  return nullptr;
}

void Add(Connection* connection) {
  pthread_mutex_lock(&list_lock);
  connection->next = connections;
  connections = connection;
  pthread_mutex_unlock(&list_lock);
}

}  // namespace

int main() {
  Connection first;
  Connection second;
  first.id = 1;
  second.id = 2;
  Add(&first);
  Add(&second);
  zoo_threads(3);
  const pthread_t one = zoo_spawn(Serve, &first);
  const pthread_t two = zoo_spawn(Serve, &second);
  const pthread_t monitor = zoo_spawn(Monitor, nullptr);
  zoo_join(one);
  zoo_join(two);
  zoo_join(monitor);
  return 0;
}
