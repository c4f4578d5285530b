// Sessions that ask a program's functions, each in a thread of its own.

#ifndef FAIRLEAD_TESTS_PIKE_SERVED_H_
#define FAIRLEAD_TESTS_PIKE_SERVED_H_

#include <fairlead/fairlead.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

struct Reply {
  std::string text;
  int error = 0;
};

using Serve = std::function<Reply(const std::string& asks)>;

// Asks one line after the other, as this session.
inline void Ask(const char* name, const std::vector<std::string>& lines,
                const Serve& serve) {
  const uint64_t session = fairlead_session(name);
  uint64_t number = 0;
  for (const std::string& line : lines) {
    fairlead_request_begin(session, ++number, line.data(), line.size());
    const Reply reply = serve(line);
    fairlead_request_end_status(session, number, reply.error, reply.text.data(),
                                reply.text.size());
  }
}

// Two at once.
inline void AskBoth(const std::vector<std::string>& ann,
                    const std::vector<std::string>& bob, const Serve& serve) {
  std::thread first([&] { Ask("ann", ann, serve); });
  std::thread second([&] { Ask("bob", bob, serve); });
  first.join();
  second.join();
}

inline void Add(const char* component, const std::string& element) {
  fairlead_state_add(component, element.data(), element.size());
}
inline void Remove(const char* component, const std::string& element) {
  fairlead_state_remove(component, element.data(), element.size());
}
inline void Put(const char* component, const std::string& key,
                const std::string& value) {
  fairlead_state_put(component, key.data(), key.size(), value.data(),
                     value.size());
}

#endif  // FAIRLEAD_TESTS_PIKE_SERVED_H_
