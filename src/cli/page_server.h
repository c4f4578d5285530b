// cli/page_server.h
//
// A page for a browser on this machine. Listens on the loopback device only,
// answers GET of two addresses that begin with a token nobody guesses, and only
// for requests that name this server: another site's script that has a browser
// ask here (DNS rebinding) names another. One request at a time; it ends by ^C.

#ifndef FAIRLEAD_CLI_PAGE_SERVER_H_
#define FAIRLEAD_CLI_PAGE_SERVER_H_

#include <cstdint>
#include <functional>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace fairlead::cli {

class PageServer {
 public:
  // What is answered, made anew for each request. `news` is a text that is
  // another one when the page would be.
  struct Answers {
    std::function<Result<std::string>()> page;
    std::function<std::string()> news;
  };

  // `port` 0 = any that is free.
  static Result<PageServer> Listen(uint16_t port, Answers answers);

  // "http://127.0.0.1:4711/TOKEN/".
  const std::string& address() const { return address_; }

  // Until the user stops it.
  Status Serve();

 private:
  PageServer(Fd listener, Answers answers)
      : listener_(std::move(listener)), answers_(std::move(answers)) {}
  std::string Answer(const std::string& request) const;
  void Handle(Fd peer) const;

  Fd listener_;
  Answers answers_;
  std::string host_;   // "127.0.0.1:4711"
  std::string local_;  // "localhost:4711"
  std::string path_;   // "/TOKEN/"
  std::string address_;
};

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_PAGE_SERVER_H_
