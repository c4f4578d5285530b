// MySQL #19938: inserts, and the id that each client is told.
//
// The table gives out ids and remembers the last one for the answer.
//
// The fix: insert and answer use the value of one critical section.

#include "../zoo.h"

namespace {

constexpr unsigned kInserts = 3;

struct Table {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  unsigned last_id = 0;
  unsigned owner[16] = {};  // who inserted the row with this id
};

Table table;

unsigned Insert(unsigned owner) {
  pthread_mutex_lock(&table.lock);
  table.last_id = table.last_id + 1;
  table.owner[table.last_id] = owner;
  const unsigned id = table.last_id;
  pthread_mutex_unlock(&table.lock);
  return id;
}

struct Client {
  unsigned number;
  unsigned delay_us;
  unsigned ids[kInserts];
};

void* Connection(void* argument) {
  auto* client = static_cast<Client*>(argument);
  zoo_start();
  zoo_device(client->delay_us);
  for (unsigned& id : client->ids) {
    zoo_compute(500, id);
    id = Insert(client->number);
  }
  return nullptr;
}

}  // namespace

int main() {
  Client clients[2] = {{1, 0, {}}, {2, 20000, {}}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Connection, &clients[0]);
  const pthread_t two = zoo_spawn(Connection, &clients[1]);
  zoo_join(one);
  zoo_join(two);
  for (const Client& client : clients) {
    for (const unsigned id : client.ids) {
      if (table.owner[id] != client.number) {
        zoo_wrong("owner of the row", table.owner[id], client.number);
      }
    }
  }
  return 0;
}
