// Drives LevelDB through its public interface: threads that write batches, read
// at snapshots, iterate and compact, on a database with a tiny write buffer, so
// that its background thread has work. Checks what it reads.
//
//   leveldb_driver DIRECTORY     uses and destroys DIRECTORY
//
// Prints how many keys are left, which every order of the threads leaves.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"

namespace {

constexpr int kWriters = 2;
constexpr int kKeys = 12;

void Want(const leveldb::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  std::exit(2);
}

std::string KeyOf(int writer, int key) {
  return std::to_string(writer) + "-" + std::to_string(key);
}

// Each batch puts two keys to one value: a reader sees both or neither.
void Write(leveldb::DB* db, int writer) {
  for (int key = 0; key < kKeys; ++key) {
    const std::string value(60, static_cast<char>('a' + key));
    leveldb::WriteBatch batch;
    batch.Put(KeyOf(writer, key), value);
    batch.Put(KeyOf(writer, key) + "-twin", value);
    Want(db->Write(leveldb::WriteOptions(), &batch), "write");
    if (key % 3 == 2) {
      Want(db->Delete(leveldb::WriteOptions(), KeyOf(writer, key - 1)),
           "delete");
    }
  }
}

void Read(leveldb::DB* db) {
  for (int key = 0; key < kKeys; key += 3) {
    leveldb::ReadOptions options;
    options.snapshot = db->GetSnapshot();
    std::string one, twin;
    const auto first = db->Get(options, KeyOf(0, key), &one);
    const auto second = db->Get(options, KeyOf(0, key) + "-twin", &twin);
    db->ReleaseSnapshot(options.snapshot);
    if (first.ok() != second.ok() || one != twin) {
      std::fprintf(stderr, "half a batch was read\n");
      std::exit(2);
    }
  }
}

int Count(leveldb::DB* db) {
  int count = 0;
  const std::unique_ptr<leveldb::Iterator> all(
      db->NewIterator(leveldb::ReadOptions()));
  for (all->SeekToFirst(); all->Valid(); all->Next()) ++count;
  Want(all->status(), "iterate");
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  leveldb::Options options;
  options.create_if_missing = true;
  options.error_if_exists = true;
  options.write_buffer_size = 64 << 10;  // the least that it takes
  // What an execution that was cut has left.
  leveldb::DestroyDB(argv[1], options);
  leveldb::DB* opened = nullptr;
  Want(leveldb::DB::Open(options, argv[1], &opened), "open");
  std::unique_ptr<leveldb::DB> db(opened);
  std::vector<std::thread> threads;
  for (int i = 0; i < kWriters; ++i) threads.emplace_back(Write, db.get(), i);
  threads.emplace_back(Read, db.get());
  threads.emplace_back([&] { db->CompactRange(nullptr, nullptr); });
  for (auto& thread : threads) thread.join();
  std::printf("%d keys\n", Count(db.get()));
  db.reset();
  Want(leveldb::DestroyDB(argv[1], options), "destroy");
}
