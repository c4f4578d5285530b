// MySQL #791: a statement is executed while the binary log is rotated.
//
// Rotation closes the log and opens the next file: two writes of `log_type`.
// A connection that sees a closed log has nothing to write.
//
// The fix: the test is made under the lock.

#include "../zoo.h"

namespace {

enum LogType { kClosed, kNormal };

class BinaryLog {
 public:
  void Open() {
    log_type_ = kNormal;
    ++num_files_;
  }
  void Close() { log_type_ = kClosed; }

  // Goes on with a new file.
  void Rotate() {
    pthread_mutex_lock(&lock_);
    Close();
    BuildName();
    Open();
    pthread_mutex_unlock(&lock_);
  }

  void Write(unsigned statement) {
    pthread_mutex_lock(&lock_);
    if (IsOpen()) records_[num_records_++] = statement;
    pthread_mutex_unlock(&lock_);
  }

  unsigned num_records() const { return num_records_; }

 private:
  bool IsOpen() const { return log_type_ != kClosed; }
  void BuildName() {
    snprintf(name_, sizeof name_, "binlog.%06u", num_files_ + 1);
  }

  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  volatile LogType log_type_ = kClosed;
  unsigned num_files_ = 0;
  char name_[32] = "";
  unsigned records_[16] = {};
  unsigned num_records_ = 0;
};

constexpr unsigned kStatements = 4;
BinaryLog binary_log;
unsigned tables[2][8];

// An insert into the connection's own table.
void Execute(unsigned table, unsigned statement) {
  for (unsigned i = 0; i < 8; ++i) {
    tables[table][i] += zoo_compute(100, statement + i) % 5;
  }
  binary_log.Write(statement);
}

void* Serve(void* argument) {
  const unsigned table = *static_cast<unsigned*>(argument);
  zoo_start();
  for (unsigned i = 0; i < kStatements; ++i) Execute(table, table * 100 + i);
  return nullptr;
}

void* FlushLogs(void*) {
  zoo_start();
  zoo_device(15000);
  binary_log.Rotate();
  return nullptr;
}

}  // namespace

int main() {
  unsigned numbers[2] = {0, 1};
  binary_log.Open();
  zoo_threads(3);
  const pthread_t one = zoo_spawn(Serve, &numbers[0]);
  const pthread_t two = zoo_spawn(Serve, &numbers[1]);
  const pthread_t flush = zoo_spawn(FlushLogs, nullptr);
  zoo_join(one);
  zoo_join(two);
  zoo_join(flush);
  if (binary_log.num_records() != 2 * kStatements) {
    zoo_wrong("records", binary_log.num_records(), 2 * kStatements);
  }
  return 0;
}
