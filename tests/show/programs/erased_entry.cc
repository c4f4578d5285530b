// A reference into a map is used after the lock is given up, and another thread
// erases the entry. Fix: Visit keeps the lock.
//
// FUNCTIONS: Users::Find Users::Erase Visit

#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

struct User {
  std::string name;
  int visits = 0;
};

class Users {
 public:
  void Add(int id, std::string name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    users_[id].name = std::move(name);
  }

  User* Find(int id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = users_.find(id);  // SHOWS
    return found == users_.end() ? nullptr : &found->second;
  }

  void Erase(int id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    users_.erase(id);  // SHOWS
  }

 private:
  std::mutex mutex_;
  std::unordered_map<int, User> users_;
};

static Users users;

static void Visit() {
  User* user = users.Find(1);
  if (user != nullptr) ++user->visits;  // SHOWS
}

int main() {
  users.Add(1, "ada");
  std::thread visitor(Visit);
  std::thread cleaner([] { users.Erase(1); });
  visitor.join();
  cleaner.join();
  return 0;
}
