// A warehouse in small: an inventory, orders, workers that pick them, a road
// map, a cache, a ledger and a report. It is the text that the anchor test
// edits (edits.py), and is written as such programs are written: classes,
// templates, threads, containers, long and short functions.

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warehouse {

// Numbers.

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2862933555777941757ull + 1) {}

  uint64_t Next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    ++drawn_;
    return state_;
  }

  int Below(int limit) {
    if (limit <= 0) return 0;
    return static_cast<int>(Next() % static_cast<uint64_t>(limit));
  }

  bool Chance(int percent) { return Below(100) < percent; }

  uint64_t drawn() const { return drawn_; }

 private:
  uint64_t state_;
  uint64_t drawn_ = 0;
};

struct Money {
  long cents = 0;

  Money& operator+=(const Money& other) {
    cents += other.cents;
    return *this;
  }
  Money& operator-=(const Money& other) {
    cents -= other.cents;
    return *this;
  }
  Money operator*(int factor) const { return Money{cents * factor}; }
  bool operator<(const Money& other) const { return cents < other.cents; }
  bool operator==(const Money& other) const { return cents == other.cents; }

  std::string Text() const {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%ld.%02ld", cents / 100,
                  cents < 0 ? -cents % 100 : cents % 100);
    return buffer;
  }
};

struct Place {
  int x = 0;
  int y = 0;
};

static int DistanceBetween(const Place& a, const Place& b) {
  int dx = a.x - b.x;
  int dy = a.y - b.y;
  if (dx < 0) dx = -dx;
  if (dy < 0) dy = -dy;
  return dx + dy;
}

// Containers of our own.

template <typename T>
class Ring {
 public:
  explicit Ring(size_t capacity) : slots_(capacity) {}

  bool Push(const T& value) {
    if (count_ == slots_.size()) {
      ++refused_;
      return false;
    }
    slots_[(first_ + count_) % slots_.size()] = value;
    ++count_;
    if (count_ > most_) most_ = count_;
    return true;
  }

  std::optional<T> Pop() {
    if (count_ == 0) return std::nullopt;
    T value = slots_[first_];
    first_ = (first_ + 1) % slots_.size();
    --count_;
    return value;
  }

  size_t size() const { return count_; }
  size_t most() const { return most_; }
  size_t refused() const { return refused_; }

 private:
  std::vector<T> slots_;
  size_t first_ = 0;
  size_t count_ = 0;
  size_t most_ = 0;
  size_t refused_ = 0;
};

template <typename T, typename Less = std::less<T>>
class Heap {
 public:
  void Add(T value) {
    items_.push_back(std::move(value));
    size_t at = items_.size() - 1;
    while (at > 0) {
      size_t parent = (at - 1) / 2;
      if (!less_(items_[at], items_[parent])) break;
      std::swap(items_[at], items_[parent]);
      at = parent;
      ++swaps_;
    }
  }

  bool Empty() const { return items_.empty(); }

  T Take() {
    T top = items_.front();
    items_.front() = items_.back();
    items_.pop_back();
    Sink(0);
    return top;
  }

  long swaps() const { return swaps_; }

 private:
  void Sink(size_t at) {
    for (;;) {
      size_t left = 2 * at + 1;
      size_t right = left + 1;
      size_t least = at;
      if (left < items_.size() && less_(items_[left], items_[least])) {
        least = left;
      }
      if (right < items_.size() && less_(items_[right], items_[least])) {
        least = right;
      }
      if (least == at) return;
      std::swap(items_[at], items_[least]);
      at = least;
      ++swaps_;
    }
  }

  std::vector<T> items_;
  Less less_;
  long swaps_ = 0;
};

template <typename Key, typename Value>
class Cache {
 public:
  explicit Cache(size_t capacity) : capacity_(capacity) {}

  std::optional<Value> Find(const Key& key) {
    auto it = index_.find(key);
    if (it == index_.end()) {
      ++misses_;
      return std::nullopt;
    }
    entries_.splice(entries_.begin(), entries_, it->second);
    ++hits_;
    return it->second->second;
  }

  void Put(const Key& key, Value value) {
    auto it = index_.find(key);
    if (it != index_.end()) {
      it->second->second = std::move(value);
      entries_.splice(entries_.begin(), entries_, it->second);
      return;
    }
    if (entries_.size() == capacity_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
      ++dropped_;
    }
    entries_.emplace_front(key, std::move(value));
    index_[key] = entries_.begin();
  }

  double HitRate() const {
    long all = hits_ + misses_;
    return all == 0 ? 0.0 : static_cast<double>(hits_) / all;
  }
  long dropped() const { return dropped_; }

 private:
  using Entry = std::pair<Key, Value>;
  size_t capacity_;
  std::list<Entry> entries_;
  std::map<Key, typename std::list<Entry>::iterator> index_;
  long hits_ = 0;
  long misses_ = 0;
  long dropped_ = 0;
};

class Bits {
 public:
  explicit Bits(size_t size) : words_((size + 63) / 64, 0), size_(size) {}

  void Set(size_t at) { words_[at / 64] |= 1ull << (at % 64); }
  void Clear(size_t at) { words_[at / 64] &= ~(1ull << (at % 64)); }
  bool Get(size_t at) const { return words_[at / 64] >> (at % 64) & 1; }

  size_t Count() const {
    size_t count = 0;
    for (uint64_t word : words_) {
      while (word != 0) {
        word &= word - 1;
        ++count;
      }
    }
    return count;
  }

  size_t FirstClear() const {
    for (size_t i = 0; i < size_; ++i) {
      if (!Get(i)) return i;
    }
    return size_;
  }

 private:
  std::vector<uint64_t> words_;
  size_t size_;
};

// What is stored.

struct Item {
  int id = 0;
  std::string name;
  Money price;
  int weight_grams = 0;
  bool fragile = false;
};

struct Shelf {
  Place place;
  int item_id = 0;
  int count = 0;
  int capacity = 0;
  int reserved = 0;
  mutable std::mutex lock;
};

class Catalogue {
 public:
  int Add(const std::string& name, Money price, int weight_grams) {
    Item item;
    item.id = next_id_++;
    item.name = name;
    item.price = price;
    item.weight_grams = weight_grams;
    item.fragile = name.find("glass") != std::string::npos;
    by_name_[name] = item.id;
    items_[item.id] = item;
    return item.id;
  }

  const Item* Find(int id) const {
    auto it = items_.find(id);
    return it == items_.end() ? nullptr : &it->second;
  }

  const Item* FindByName(const std::string& name) const {
    auto it = by_name_.find(name);
    if (it == by_name_.end()) return nullptr;
    return Find(it->second);
  }

  Money Total() const {
    Money total;
    for (const auto& [id, item] : items_) {
      if (id > 0) total += item.price;
    }
    return total;
  }

  void RaisePrices(int percent) {
    for (auto& [id, item] : items_) {
      long before = item.price.cents;
      item.price.cents += before * percent / 100;
      if (item.price.cents == before) item.price.cents++;
    }
    ++raised_;
  }

  size_t size() const { return items_.size(); }

 private:
  std::map<int, Item> items_;
  std::unordered_map<std::string, int> by_name_;
  int next_id_ = 1;
  int raised_ = 0;
};

class Inventory {
 public:
  explicit Inventory(int shelves) {
    for (int i = 0; i < shelves; ++i) {
      auto shelf = std::make_unique<Shelf>();
      shelf->place = Place{i % 8, i / 8};
      shelf->capacity = 50;
      shelves_.push_back(std::move(shelf));
    }
  }

  bool Stock(int item_id, int count) {
    for (auto& shelf : shelves_) {
      std::lock_guard<std::mutex> guard(shelf->lock);
      if (shelf->item_id != 0 && shelf->item_id != item_id) continue;
      int room = shelf->capacity - shelf->count;
      if (room <= 0) continue;
      int moved = std::min(room, count);
      shelf->item_id = item_id;
      shelf->count += moved;
      count -= moved;
      stocked_ += moved;
      if (count == 0) return true;
    }
    overflow_ += count;
    return false;
  }

  int Reserve(int item_id, int count) {
    int got = 0;
    for (auto& shelf : shelves_) {
      std::lock_guard<std::mutex> guard(shelf->lock);
      if (shelf->item_id != item_id) continue;
      int free = shelf->count - shelf->reserved;
      int taken = std::min(free, count - got);
      shelf->reserved += taken;
      got += taken;
      if (got == count) break;
    }
    return got;
  }

  int Take(int item_id, int count) {
    int taken = 0;
    for (auto& shelf : shelves_) {
      std::lock_guard<std::mutex> guard(shelf->lock);
      if (shelf->item_id != item_id || shelf->reserved == 0) continue;
      int now = std::min(shelf->reserved, count - taken);
      shelf->reserved -= now;
      shelf->count -= now;
      taken += now;
      if (shelf->count == 0) shelf->item_id = 0;
      if (taken == count) break;
    }
    taken_.fetch_add(taken, std::memory_order_relaxed);
    return taken;
  }

  std::optional<Place> Where(int item_id) const {
    for (const auto& shelf : shelves_) {
      std::lock_guard<std::mutex> guard(shelf->lock);
      if (shelf->item_id == item_id) return shelf->place;
    }
    return std::nullopt;
  }

  int Count(int item_id) const {
    int count = 0;
    for (const auto& shelf : shelves_) {
      std::lock_guard<std::mutex> guard(shelf->lock);
      if (shelf->item_id == item_id) count += shelf->count;
    }
    return count;
  }

  // Moves half-empty shelves of one item together.
  int Tidy() {
    int moved = 0;
    for (size_t i = 0; i < shelves_.size(); ++i) {
      Shelf& to = *shelves_[i];
      if (to.item_id == 0 || to.count == to.capacity) continue;
      for (size_t j = i + 1; j < shelves_.size(); ++j) {
        Shelf& from = *shelves_[j];
        if (from.item_id != to.item_id || from.reserved != 0) continue;
        int room = to.capacity - to.count;
        int now = std::min(room, from.count);
        to.count += now;
        from.count -= now;
        if (from.count == 0) from.item_id = 0;
        moved += now;
      }
    }
    return moved;
  }

  long stocked() const { return stocked_; }
  long overflow() const { return overflow_; }
  long taken() const { return taken_.load(); }

 private:
  std::vector<std::unique_ptr<Shelf>> shelves_;
  long stocked_ = 0;
  long overflow_ = 0;
  std::atomic<long> taken_{0};
};

// Orders.

enum class OrderState { kNew, kReserved, kPicked, kShipped, kFailed };

struct OrderLine {
  int item_id = 0;
  int count = 0;
  int picked = 0;
};

struct Order {
  int id = 0;
  int customer = 0;
  int priority = 0;
  OrderState state = OrderState::kNew;
  std::vector<OrderLine> lines;
  Money total;
  int attempts = 0;
};

struct MoreUrgent {
  bool operator()(const Order* a, const Order* b) const {
    if (a->priority != b->priority) return a->priority > b->priority;
    return a->id < b->id;
  }
};

class OrderBook {
 public:
  Order* Open(int customer, int priority) {
    auto order = std::make_unique<Order>();
    order->id = static_cast<int>(orders_.size()) + 1;
    order->customer = customer;
    order->priority = priority;
    orders_.push_back(std::move(order));
    return orders_.back().get();
  }

  void AddLine(Order* order, const Item& item, int count) {
    for (OrderLine& line : order->lines) {
      if (line.item_id == item.id) {
        line.count += count;
        order->total += item.price * count;
        return;
      }
    }
    OrderLine line;
    line.item_id = item.id;
    line.count = count;
    order->lines.push_back(line);
    order->total += item.price * count;
  }

  void Cancel(Order* order) {
    order->state = OrderState::kFailed;
    order->total.cents = 0;
    ++cancelled_;
  }

  int CountIn(OrderState state) const {
    int count = 0;
    for (const auto& order : orders_) {
      if (order->state == state) ++count;
    }
    return count;
  }

  Money Worth() const {
    Money worth;
    for (const auto& order : orders_) {
      if (order->state != OrderState::kFailed) worth += order->total;
    }
    return worth;
  }

  const std::vector<std::unique_ptr<Order>>& all() const { return orders_; }
  int cancelled() const { return cancelled_; }

 private:
  std::vector<std::unique_ptr<Order>> orders_;
  int cancelled_ = 0;
};

// The ledger.

struct Account {
  std::string owner;
  Money balance;
  int bookings = 0;
  bool blocked = false;
};

class Ledger {
 public:
  Account& Of(const std::string& owner) {
    Account& account = accounts_[owner];
    if (account.owner.empty()) account.owner = owner;
    return account;
  }

  bool Move(const std::string& from, const std::string& to, Money amount) {
    std::lock_guard<std::mutex> guard(lock_);
    Account& payer = Of(from);
    Account& payee = Of(to);
    if (payer.blocked || payee.blocked) {
      ++refused_;
      return false;
    }
    payer.balance -= amount;
    payee.balance += amount;
    payer.bookings++;
    payee.bookings++;
    last_amount_ = amount.cents;
    return true;
  }

  void Block(const std::string& owner) {
    std::lock_guard<std::mutex> guard(lock_);
    Of(owner).blocked = true;
  }

  Money Sum() const {
    Money sum;
    for (const auto& [owner, account] : accounts_) {
      if (!owner.empty()) sum += account.balance;
    }
    return sum;
  }

  int refused() const { return refused_; }
  long last_amount() const { return last_amount_; }

 private:
  std::mutex lock_;
  std::map<std::string, Account> accounts_;
  int refused_ = 0;
  volatile long last_amount_ = 0;
};

// The road map.

struct Road {
  int to = 0;
  int length = 0;
};

class Roads {
 public:
  explicit Roads(int towns) : roads_(towns), names_(towns) {}

  void Name(int town, const char* name) {
    std::strncpy(names_[town].data(), name, names_[town].size() - 1);
  }

  void Join(int a, int b, int length) {
    roads_[a].push_back(Road{b, length});
    roads_[b].push_back(Road{a, length});
    total_ += length;
  }

  // Dijkstra's algorithm; -1 where there is no way.
  int Shortest(int from, int to) {
    std::vector<int> known(roads_.size(), -1);
    using Step = std::pair<int, int>;
    std::priority_queue<Step, std::vector<Step>, std::greater<Step>> open;
    open.push({0, from});
    while (!open.empty()) {
      auto [length, town] = open.top();
      open.pop();
      if (known[town] >= 0) continue;
      known[town] = length;
      ++visited_;
      if (town == to) return length;
      for (const Road& road : roads_[town]) {
        if (known[road.to] < 0) open.push({length + road.length, road.to});
      }
    }
    return -1;
  }

  bool Connected() const {
    Bits seen(roads_.size());
    std::vector<int> open = {0};
    while (!open.empty()) {
      int town = open.back();
      open.pop_back();
      if (seen.Get(town)) continue;
      seen.Set(town);
      for (const Road& road : roads_[town]) open.push_back(road.to);
    }
    return seen.Count() == roads_.size();
  }

  const char* NameOf(int town) const { return names_[town].data(); }
  long total() const { return total_; }
  long visited() const { return visited_; }

 private:
  std::vector<std::vector<Road>> roads_;
  std::vector<std::array<char, 16>> names_;
  long total_ = 0;
  long visited_ = 0;
};

// Numbers over time.

class Statistics {
 public:
  void Add(double value) {
    if (count_ == 0 || value < least_) least_ = value;
    if (count_ == 0 || value > most_) most_ = value;
    ++count_;
    double delta = value - mean_;
    mean_ += delta / count_;
    squares_ += delta * (value - mean_);
  }

  void Merge(const Statistics& other) {
    if (other.count_ == 0) return;
    double delta = other.mean_ - mean_;
    long all = count_ + other.count_;
    squares_ += other.squares_ + delta * delta * count_ * other.count_ / all;
    mean_ += delta * other.count_ / all;
    least_ = std::min(least_, other.least_);
    most_ = std::max(most_, other.most_);
    count_ = all;
  }

  double mean() const { return mean_; }
  double variance() const { return count_ < 2 ? 0 : squares_ / (count_ - 1); }
  long count() const { return count_; }
  double least() const { return least_; }
  double most() const { return most_; }

 private:
  long count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
  double least_ = 0;
  double most_ = 0;
};

class Matrix {
 public:
  Matrix(int rows, int columns)
      : rows_(rows), columns_(columns), cells_(rows * columns, 0.0) {}

  double& At(int row, int column) { return cells_[row * columns_ + column]; }
  double At(int row, int column) const {
    return cells_[row * columns_ + column];
  }

  Matrix Times(const Matrix& other) const {
    Matrix result(rows_, other.columns_);
    for (int i = 0; i < rows_; ++i) {
      for (int j = 0; j < other.columns_; ++j) {
        double sum = 0;
        for (int k = 0; k < columns_; ++k) sum += At(i, k) * other.At(k, j);
        result.At(i, j) = sum;
      }
    }
    return result;
  }

  double Trace() const {
    double sum = 0;
    for (int i = 0; i < std::min(rows_, columns_); ++i) sum += At(i, i);
    return sum;
  }

 private:
  int rows_;
  int columns_;
  std::vector<double> cells_;
};

// Workers.

class Vehicle {
 public:
  explicit Vehicle(int id) : id_(id) {}
  virtual ~Vehicle() = default;
  virtual int Speed() const = 0;
  virtual bool Carries(const Item& item) const = 0;

  int Drive(const Place& to) {
    int way = DistanceBetween(here_, to);
    here_ = to;
    driven_ += way;
    return way * 10 / Speed();
  }

  int id() const { return id_; }
  long driven() const { return driven_; }

 protected:
  int id_;
  Place here_;
  long driven_ = 0;
};

class Cart : public Vehicle {
 public:
  using Vehicle::Vehicle;
  int Speed() const override { return 4; }
  bool Carries(const Item& item) const override {
    return item.weight_grams < 20000;
  }
};

class Truck : public Vehicle {
 public:
  Truck(int id, int load) : Vehicle(id), load_(load) {}
  int Speed() const override { return load_ > 500 ? 1 : 2; }
  bool Carries(const Item& item) const override {
    return !item.fragile || load_ == 0;
  }
  void Load(int kilograms) { load_ += kilograms; }

 private:
  int load_;
};

class Queue {
 public:
  void Put(Order* order) {
    {
      std::lock_guard<std::mutex> guard(lock_);
      waiting_.Add(order);
      ++depth_;
      deepest_ = std::max(deepest_, depth_);
    }
    filled_.notify_one();
  }

  Order* Get() {
    std::unique_lock<std::mutex> guard(lock_);
    while (waiting_.Empty() && !closed_) filled_.wait(guard);
    if (waiting_.Empty()) return nullptr;
    --depth_;
    return waiting_.Take();
  }

  void Close() {
    std::lock_guard<std::mutex> guard(lock_);
    closed_ = true;
    filled_.notify_all();
  }

  int deepest() const { return deepest_; }

 private:
  std::mutex lock_;
  std::condition_variable filled_;
  Heap<Order*, MoreUrgent> waiting_;
  int depth_ = 0;
  int deepest_ = 0;
  bool closed_ = false;
};

static std::atomic<int> orders_done{0};
static int orders_failed = 0;
static thread_local long steps_walked = 0;

class Worker {
 public:
  Worker(int id, Inventory& inventory, const Catalogue& catalogue)
      : inventory_(inventory), catalogue_(catalogue) {
    if (id % 2 == 0) {
      vehicle_ = std::make_unique<Cart>(id);
    } else {
      vehicle_ = std::make_unique<Truck>(id, 100 * id);
    }
  }

  void Run(Queue& queue, Ledger& ledger) {
    while (Order* order = queue.Get()) {
      order->attempts++;
      if (!Pick(*order)) {
        order->state = OrderState::kFailed;
        orders_failed++;
        continue;
      }
      Ship(*order, ledger);
    }
    walked_ = steps_walked;
  }

  long walked() const { return walked_; }
  long picked() const { return picked_; }
  const Statistics& trips() const { return trips_; }

 private:
  bool Pick(Order& order) {
    for (OrderLine& line : order.lines) {
      const Item* item = catalogue_.Find(line.item_id);
      if (item == nullptr || !vehicle_->Carries(*item)) return false;
      std::optional<Place> place = inventory_.Where(line.item_id);
      if (!place) return false;
      int time = vehicle_->Drive(*place);
      steps_walked += time;
      trips_.Add(time);
      int reserved = inventory_.Reserve(line.item_id, line.count);
      line.picked = inventory_.Take(line.item_id, reserved);
      picked_ += line.picked;
      if (line.picked < line.count) return false;
    }
    order.state = OrderState::kPicked;
    return true;
  }

  void Ship(Order& order, Ledger& ledger) {
    char name[24];
    std::snprintf(name, sizeof name, "customer%d", order.customer);
    if (ledger.Move(name, "warehouse", order.total)) {
      order.state = OrderState::kShipped;
      orders_done.fetch_add(1);
    } else {
      order.state = OrderState::kFailed;
      orders_failed++;
    }
  }

  Inventory& inventory_;
  const Catalogue& catalogue_;
  std::unique_ptr<Vehicle> vehicle_;
  Statistics trips_;
  long walked_ = 0;
  long picked_ = 0;
};

// Commands in text.

struct Command {
  std::string verb;
  std::vector<int> numbers;
};

static std::optional<Command> Parse(const std::string& line) {
  Command command;
  size_t at = 0;
  while (at < line.size() && line[at] == ' ') ++at;
  while (at < line.size() && line[at] != ' ') command.verb += line[at++];
  if (command.verb.empty()) return std::nullopt;
  while (at < line.size()) {
    while (at < line.size() && line[at] == ' ') ++at;
    if (at == line.size()) break;
    bool negative = line[at] == '-';
    if (negative) ++at;
    if (at == line.size() || line[at] < '0' || line[at] > '9') {
      return std::nullopt;
    }
    int number = 0;
    while (at < line.size() && line[at] >= '0' && line[at] <= '9') {
      number = number * 10 + (line[at] - '0');
      ++at;
    }
    command.numbers.push_back(negative ? -number : number);
  }
  return command;
}

class Desk {
 public:
  Desk(OrderBook& book, Catalogue& catalogue, Inventory& inventory)
      : book_(book), catalogue_(catalogue), inventory_(inventory) {
    handlers_["stock"] = [this](const Command& c) { return Stock(c); };
    handlers_["order"] = [this](const Command& c) { return Open(c); };
    handlers_["add"] = [this](const Command& c) { return AddLine(c); };
    handlers_["cancel"] = [this](const Command& c) { return Cancel(c); };
    handlers_["raise"] = [this](const Command& c) { return Raise(c); };
  }

  bool Handle(const std::string& line) {
    std::optional<Command> command = Parse(line);
    if (!command) {
      ++bad_lines_;
      return false;
    }
    auto it = handlers_.find(command->verb);
    if (it == handlers_.end()) {
      unknown_.insert(command->verb);
      return false;
    }
    ++handled_;
    return it->second(*command);
  }

  int handled() const { return handled_; }
  int bad_lines() const { return bad_lines_; }
  size_t unknown() const { return unknown_.size(); }

 private:
  bool Stock(const Command& command) {
    if (command.numbers.size() != 2) return false;
    return inventory_.Stock(command.numbers[0], command.numbers[1]);
  }

  bool Open(const Command& command) {
    if (command.numbers.size() != 2) return false;
    current_ = book_.Open(command.numbers[0], command.numbers[1]);
    return true;
  }

  bool AddLine(const Command& command) {
    if (current_ == nullptr || command.numbers.size() != 2) return false;
    const Item* item = catalogue_.Find(command.numbers[0]);
    if (item == nullptr) return false;
    book_.AddLine(current_, *item, command.numbers[1]);
    return true;
  }

  bool Cancel(const Command&) {
    if (current_ == nullptr) return false;
    book_.Cancel(current_);
    current_ = nullptr;
    return true;
  }

  bool Raise(const Command& command) {
    if (command.numbers.size() != 1) return false;
    catalogue_.RaisePrices(command.numbers[0]);
    return true;
  }

  OrderBook& book_;
  Catalogue& catalogue_;
  Inventory& inventory_;
  Order* current_ = nullptr;
  std::map<std::string, std::function<bool(const Command&)>> handlers_;
  std::set<std::string> unknown_;
  int handled_ = 0;
  int bad_lines_ = 0;
};

// The whole.

struct Setting {
  int workers = 4;
  int items = 12;
  int orders = 60;
  int towns = 9;
  uint64_t seed = 1;
};

class Simulation {
 public:
  explicit Simulation(const Setting& setting)
      : setting_(setting),
        random_(setting.seed),
        inventory_(64),
        roads_(setting.towns),
        prices_(8),
        recent_(16) {}

  void FillCatalogue() {
    static const char* const kinds[] = {"glass", "bolt", "paper", "lamp"};
    for (int i = 0; i < setting_.items; ++i) {
      std::string name = kinds[i % 4];
      name += std::to_string(i);
      Money price{100 + random_.Below(5000)};
      int id = catalogue_.Add(name, price, 10 + random_.Below(30000));
      inventory_.Stock(id, 20 + random_.Below(100));
    }
  }

  void DrawRoads() {
    for (int town = 1; town < setting_.towns; ++town) {
      roads_.Join(town - 1, town, 1 + random_.Below(20));
      if (random_.Chance(40)) {
        roads_.Join(random_.Below(town), town, 1 + random_.Below(40));
      }
      roads_.Name(town, town % 2 == 0 ? "even" : "odd");
    }
  }

  void TakeOrders() {
    Desk desk(book_, catalogue_, inventory_);
    char line[64];
    for (int i = 0; i < setting_.orders; ++i) {
      std::snprintf(line, sizeof line, "order %d %d", random_.Below(10),
                    random_.Below(5));
      desk.Handle(line);
      int lines = 1 + random_.Below(3);
      for (int j = 0; j < lines; ++j) {
        std::snprintf(line, sizeof line, "add %d %d",
                      1 + random_.Below(setting_.items), 1 + random_.Below(4));
        desk.Handle(line);
      }
      recent_.Push(i);
      if (random_.Chance(5)) desk.Handle("cancel");
    }
    desk.Handle("raise 3");
    desk.Handle("nonsense 1");
    desk.Handle("");
    handled_ = desk.handled();
  }

  void Work() {
    std::vector<std::unique_ptr<Worker>> workers;
    std::vector<std::thread> threads;
    Queue queue;
    for (int i = 0; i < setting_.workers; ++i) {
      workers.push_back(std::make_unique<Worker>(i, inventory_, catalogue_));
      Worker* worker = workers.back().get();
      threads.emplace_back(
          [worker, &queue, this] { worker->Run(queue, ledger_); });
    }
    for (const auto& order : book_.all()) {
      if (order->state == OrderState::kNew) queue.Put(order.get());
    }
    queue.Close();
    for (std::thread& thread : threads) thread.join();
    for (const auto& worker : workers) {
      walked_ += worker->walked();
      picked_ += worker->picked();
      trips_.Merge(worker->trips());
    }
    deepest_ = queue.deepest();
  }

  long PriceOf(int id) {
    if (std::optional<long> known = prices_.Find(id)) return *known;
    const Item* item = catalogue_.Find(id);
    long cents = item != nullptr ? item->price.cents : -1;
    prices_.Put(id, cents);
    return cents;
  }

  void Report() {
    std::printf("items %zu\n", catalogue_.size());
    std::printf("handled %d\n", handled_);
    std::printf("shipped %d\n", book_.CountIn(OrderState::kShipped));
    std::printf("cancelled %d\n", book_.cancelled());
    std::printf("worth %s\n", book_.Worth().Text().c_str());
    std::printf("balance %s\n", ledger_.Sum().Text().c_str());
    std::printf("taken %ld\n", inventory_.taken());
    std::printf("deepest %d\n", deepest_);
    if (trips_.count() > 0) {
      std::printf("trips %ld of %.1f\n", trips_.count(), trips_.mean());
    }
    int far = roads_.Shortest(0, setting_.towns - 1);
    std::printf("far %d %d\n", far, roads_.Connected() ? 1 : 0);
    long sum = 0;
    for (int i = 0; i < 30; ++i) sum += PriceOf(1 + i % setting_.items);
    std::printf("prices %ld\n", sum);
    std::printf("tidied %d\n", inventory_.Tidy());
  }

  bool Consistent() const {
    if (!(ledger_.Sum() == Money{})) return false;
    if (picked_ != inventory_.taken()) return false;
    return walked_ >= 0;
  }

 private:
  Setting setting_;
  Random random_;
  Catalogue catalogue_;
  Inventory inventory_;
  OrderBook book_;
  Ledger ledger_;
  Roads roads_;
  Cache<int, long> prices_;
  Ring<int> recent_;
  Statistics trips_;
  long walked_ = 0;
  long picked_ = 0;
  int handled_ = 0;
  int deepest_ = 0;
};

// Small things that a main file gathers.

static double Fibonacci(int n) {
  Matrix step(2, 2);
  step.At(0, 0) = 1;
  step.At(0, 1) = 1;
  step.At(1, 0) = 1;
  Matrix power(2, 2);
  power.At(0, 0) = 1;
  power.At(1, 1) = 1;
  for (int i = 0; i < n; ++i) power = power.Times(step);
  return power.At(0, 1);
}

static unsigned Checksum(const char* text) {
  unsigned sum = 17;
  for (const char* p = text; *p != '\0'; ++p) {
    sum = sum * 31 + static_cast<unsigned char>(*p);
  }
  return sum;
}

static int CountPrimes(int limit) {
  Bits composite(limit + 1);
  int count = 0;
  for (int i = 2; i <= limit; ++i) {
    if (composite.Get(i)) continue;
    ++count;
    for (long j = static_cast<long>(i) * i; j <= limit; j += i) {
      composite.Set(j);
    }
  }
  return count;
}

static int longest_name = 0;

static std::vector<Item> ByPrice(std::vector<Item> items) {
  auto dearer = [](const Item& a, const Item& b) { return b.price < a.price; };
  std::sort(items.begin(), items.end(), dearer);
  return items;
}

static int TotalWeight(const std::vector<Item>& items, int most) {
  int weight = 0;
  auto add = [&](const Item& item) {
    weight += item.weight_grams;
    longest_name = std::max(longest_name, static_cast<int>(item.name.size()));
    return weight <= most;
  };
  for (const Item& item : items) {
    if (!add(item)) break;
  }
  return weight;
}

int RunAll(const Setting& setting) {
  Simulation simulation(setting);
  simulation.FillCatalogue();
  simulation.DrawRoads();
  simulation.TakeOrders();
  simulation.Work();
  simulation.Report();
  std::printf("fibonacci %.0f\n", Fibonacci(10));
  std::printf("checksum %u\n", Checksum("warehouse"));
  std::printf("primes %d\n", CountPrimes(100));
  std::vector<Item> items(3);
  items[1].price.cents = 5;
  items[2].weight_grams = 7;
  std::printf("weight %d\n", TotalWeight(ByPrice(items), 100));
  return simulation.Consistent() ? 0 : 1;
}

}  // namespace warehouse

int main(int argc, char** argv) {
  warehouse::Setting setting;
  if (argc > 1) setting.seed = std::strlen(argv[1]);
  if (argc > 2) setting.workers = argv[2][0] - '0';
  return warehouse::RunAll(setting);
}
