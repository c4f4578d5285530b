// MySQL: statements change a table, then append themselves to the log.
//
// Replaying the log must give the same table; so the two must have one order.
//
// The fix: the log is written while the table is still locked.

#include "../zoo.h"

namespace {

enum Kind { kInsert, kDeleteAll };

struct Statement {
  Kind kind;
  unsigned row;
};

struct Table {
  unsigned rows[16];
  unsigned num_rows;
};

pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
Table table;  // under table_lock
pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
Statement log_records[16];  // under log_lock
unsigned num_log_records;

void Apply(Table& to, const Statement& statement) {
  if (statement.kind == kDeleteAll) {
    to.num_rows = 0;
  } else {
    to.rows[to.num_rows++] = statement.row;
  }
}

void WriteLog(const Statement& statement) {
  pthread_mutex_lock(&log_lock);
  log_records[num_log_records++] = statement;
  pthread_mutex_unlock(&log_lock);
}

void Execute(const Statement& statement) {
  pthread_mutex_lock(&table_lock);
  Apply(table, statement);
  WriteLog(statement);
  pthread_mutex_unlock(&table_lock);
}

void* InsertRows(void*) {
  zoo_start();
  for (unsigned row = 1; row <= 4; ++row) {
    zoo_compute(500, row);
    Execute({kInsert, row});
  }
  return nullptr;
}

void* DeleteRows(void*) {
  zoo_start();
  zoo_device(15000);
  Execute({kDeleteAll, 0});
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(InsertRows, nullptr);
  const pthread_t two = zoo_spawn(DeleteRows, nullptr);
  zoo_join(one);
  zoo_join(two);
  Table slave = {};
  for (unsigned i = 0; i < num_log_records; ++i) Apply(slave, log_records[i]);
  if (slave.num_rows != table.num_rows) {
    zoo_wrong("rows of the slave", slave.num_rows, table.num_rows);
  }
  return 0;
}
