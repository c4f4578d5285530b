// The same in C++, with an exception on the way.
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Account {
  std::string owner;
  int balance = 0;
};

int main() {
  std::vector<Account> accounts(2);
  std::thread thread([&] {
    try {
      accounts.at(2).balance = 1;
    } catch (const std::out_of_range&) {
      accounts.at(1) = {"bo", 42};
    }
  });
  thread.join();
  std::cout << "hello " << accounts[1].owner << ' ' << accounts[1].balance
            << '\n';
}
