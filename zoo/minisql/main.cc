// minisql FILE: a table server with two sessions, in one process.
//
// The file has a line for each statement: "setup: …" for those that come first,
// one after the other; "ann: …" and "bob: …" for those of the two sessions,
// which run at once.

#include <fstream>
#include <iostream>
#include <thread>

#include "server.h"
#include "state.h"

namespace {

using Lines = std::vector<std::string>;

void Ask(minisql::Server& server, const char* name, const Lines& lines) {
  const uint64_t session = fairlead_session(name);
  uint64_t number = 0;
  for (const std::string& line : lines) {
    fairlead_request_begin(session, ++number, line.data(), line.size());
    const minisql::Reply reply = server.Serve(line);
    fairlead_request_end_status(session, number, reply.error, reply.text.data(),
                                reply.text.size());
  }
}

// The rest of a line behind "NAME: ", if it begins so.
bool TakeName(std::string& line, const std::string& name) {
  if (line.rfind(name + ": ", 0) != 0) return false;
  line.erase(0, name.size() + 2);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: minisql FILE\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  Lines setup, ann, bob;
  for (std::string line; std::getline(file, line);) {
    if (TakeName(line, "setup")) setup.push_back(line);
    if (TakeName(line, "ann")) ann.push_back(line);
    if (TakeName(line, "bob")) bob.push_back(line);
  }
  if (ann.empty() && bob.empty()) {
    std::cerr << argv[1] << " has nothing for ann: or bob:\n";
    return 2;
  }
  minisql::state::Declare();
  minisql::Server server;
  for (const std::string& line : setup) {
    if (server.Serve(line).error != 0) {
      std::cerr << "setup: " << line << ": failed\n";
      return 2;
    }
  }
  fairlead_ready();
  std::thread first(Ask, std::ref(server), "ann", std::cref(ann));
  std::thread second(Ask, std::ref(server), "bob", std::cref(bob));
  first.join();
  second.join();
  fairlead_quiescent();
  return 0;
}
