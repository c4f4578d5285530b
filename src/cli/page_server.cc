#include "cli/page_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/random_number.h"
#include "base/text.h"
#include "explore/run/interrupt.h"

namespace fairlead::cli {
namespace {

// No browser sends more for a page.
constexpr size_t kMostRequestBytes = size_t{16} << 10;
constexpr int kPatienceSeconds = 5;  // for a peer that says or reads nothing
constexpr int kPollMs = 100;         // until ^C is noticed

std::string Response(std::string_view status, std::string_view type,
                     std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\n"
      "Content-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "X-Frame-Options: DENY\r\n\r\n{}",
      status, type, body.size(), body);
}

std::string Refusal(std::string_view status) {
  return Response(status, "text/plain", fmt::format("{}\n", status));
}

bool SameLetters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto lower = [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

// The value of the only header of that name; "" = none, or several.
std::string_view Header(std::string_view request, std::string_view name) {
  std::string_view value;
  bool first = true;
  for (const std::string_view line : Split(request, '\n')) {
    const size_t colon = line.find(':');
    if (first || colon == std::string_view::npos) {
      first = false;
      continue;
    }
    if (!SameLetters(line.substr(0, colon), name)) continue;
    if (!value.empty()) return "";
    value = Trim(line.substr(colon + 1));
  }
  return value;
}

// All of the request's head; "" = it did not come.
std::string ReadHead(int peer) {
  std::string request;
  char bytes[2048];
  while (request.size() < kMostRequestBytes) {
    const ssize_t got = recv(peer, bytes, sizeof(bytes), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "";
    request.append(bytes, static_cast<size_t>(got));
    if (request.find("\r\n\r\n") != std::string::npos) return request;
  }
  return "";
}

void SendAll(int peer, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

}  // namespace

Result<PageServer> PageServer::Listen(uint16_t port, Answers answers) {
  PageServer server(Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
                    std::move(answers));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const int on = 1;
  const int fd = server.listener_.get();
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  socklen_t size = sizeof(address);
  if (fd < 0 || bind(fd, generic, size) != 0 || listen(fd, 16) != 0 ||
      getsockname(fd, generic, &size) != 0) {
    return SystemError(
        errno, fmt::format("cannot listen on port {} of 127.0.0.1", port));
  }
  const int number = ntohs(address.sin_port);
  server.host_ = fmt::format("127.0.0.1:{}", number);
  server.local_ = fmt::format("localhost:{}", number);
  server.path_ =
      fmt::format("/{:016x}{:016x}/", RandomNumber(), RandomNumber());
  server.address_ = "http://" + server.host_ + server.path_;
  return server;
}

std::string PageServer::Answer(const std::string& request) const {
  const std::string_view line =
      std::string_view(request).substr(0, request.find("\r\n"));
  const auto words = Split(line, ' ');
  if (words.size() != 3 || !words[2].starts_with("HTTP/1.")) {
    return Refusal("400 Bad Request");
  }
  const std::string_view host = Header(request, "host");
  if (host != host_ && host != local_) {
    return Refusal("421 Misdirected Request");
  }
  if (words[0] != "GET") return Refusal("405 Method Not Allowed");
  if (words[1] == path_ + "news") {
    return Response("200 OK", "text/plain", answers_.news());
  }
  if (words[1] != path_) return Refusal("404 Not Found");
  const Result<std::string> page = answers_.page();
  if (!page) {
    return Response("500 Internal Server Error", "text/plain",
                    page.error().Text() + "\n");
  }
  return Response("200 OK", "text/html", *page);
}

void PageServer::Handle(Fd peer) const {
  const timeval patience = {.tv_sec = kPatienceSeconds, .tv_usec = 0};
  setsockopt(peer.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(peer.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  const std::string request = ReadHead(peer.get());
  if (!request.empty()) SendAll(peer.get(), Answer(request));
}

Status PageServer::Serve() {
  const explore::InterruptWatch interrupts;
  while (interrupts.signal() == 0) {
    pollfd ready = {.fd = listener_.get(), .events = POLLIN, .revents = 0};
    const int some = poll(&ready, 1, kPollMs);
    if (some < 0 && errno != EINTR) {
      return SystemError(errno, "cannot wait for requests");
    }
    if (some <= 0) continue;
    Fd peer(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (peer) Handle(std::move(peer));
  }
  return {};
}

}  // namespace fairlead::cli
