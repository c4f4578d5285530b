// MySQL #644: a query collects the fields that it uses.
//
// A field carries the id of the query that last named it. One pass counts the
// fields of this query, the other collects until it has met that many.
//
// The fix: the table is locked while its fields are marked and collected.

#include "../zoo.h"

namespace {

constexpr unsigned kFields = 10;

struct Field {
  unsigned query_id;
  unsigned offset;
};

struct Table {
  Field* fields[kFields + 1];  // ends with NULL
  pthread_mutex_t lock;
};

struct Query {
  unsigned id;
  unsigned first_field;
  unsigned num_fields;
  unsigned delay_us;
  unsigned offsets;  // sum over its fields
};

Table table;

void Mark(const Query& query) {
  for (unsigned i = 0; i < query.num_fields; ++i) {
    table.fields[query.first_field + i]->query_id = query.id;
  }
}

unsigned Count(const Query& query) {
  unsigned count = 0;
  for (Field** field = table.fields; *field != nullptr; ++field) {
    if ((*field)->query_id == query.id) ++count;
  }
  return count;
}

void Collect(Query& query, unsigned count) {
  for (Field** field = table.fields; count > 0; ++field) {
    if ((*field)->query_id != query.id) continue;
    query.offsets += (*field)->offset;
    --count;
  }
}

void* Execute(void* argument) {
  auto* query = static_cast<Query*>(argument);
  zoo_start();
  zoo_device(query->delay_us);
  pthread_mutex_lock(&table.lock);
  Mark(*query);
  const unsigned count = Count(*query);
  Collect(*query, count);
  pthread_mutex_unlock(&table.lock);
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < kFields; ++i) table.fields[i] = new Field{0, i * 8};
  pthread_mutex_init(&table.lock, nullptr);
  Query queries[2] = {{1, 2, 5, 0, 0}, {2, 5, 4, 20000, 0}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Execute, &queries[0]);
  const pthread_t two = zoo_spawn(Execute, &queries[1]);
  zoo_join(one);
  zoo_join(two);
  for (unsigned i = 0; i < kFields; ++i) delete table.fields[i];
  return 0;
}
