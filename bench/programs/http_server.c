// A small HTTP server: threads that wait at epoll descriptors of their own for
// connections and requests, and a thread that wakes up by a timer.
//
//   http_server PORT THREADS
//
//   GET /add/N     adds N to a sum that all threads share; answers the sum
//   GET /ticks     answers whether the timer has gone off
//   GET /quit      ends the server, in order
//
// Says "listening" on standard output once clients may connect.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { kMostThreads = 16, kRoom = 4096 };

struct connection {
  int fd;
  size_t used;
  char request[kRoom];
};

static int listener, quit, timer;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum, ticks;

static void fail(const char* what) {
  perror(what);
  exit(2);
}

static void watch(int epoll, int fd, void* as, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = as};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll_ctl");
}

static void answer(int fd, const char* path) {
  char body[64] = "no such page\n";
  int status = 404;
  if (strncmp(path, "/add/", 5) == 0) {
    pthread_mutex_lock(&mutex);
    sum += atol(path + 5);
    snprintf(body, sizeof(body), "%ld\n", sum);
    pthread_mutex_unlock(&mutex);
    status = 200;
  } else if (strncmp(path, "/ticks", 6) == 0) {
    pthread_mutex_lock(&mutex);
    snprintf(body, sizeof(body), "%s\n", ticks > 0 ? "ticking" : "still");
    pthread_mutex_unlock(&mutex);
    status = 200;
  } else if (strncmp(path, "/quit", 5) == 0) {
    const uint64_t one = 1;
    if (write(quit, &one, sizeof(one)) != sizeof(one)) fail("write");
    strcpy(body, "bye\n");
    status = 200;
  }
  char response[256];
  const int bytes =
      snprintf(response, sizeof(response),
               "HTTP/1.1 %d %s\r\nContent-Length: %zu\r\n\r\n%s", status,
               status == 200 ? "OK" : "Not Found", strlen(body), body);
  if (send(fd, response, (size_t)bytes, MSG_NOSIGNAL) != bytes) return;
}

// Answers all requests that are whole. False when the connection is over.
static int serve(struct connection* connection) {
  for (;;) {
    const ssize_t got =
        recv(connection->fd, connection->request + connection->used,
             kRoom - 1 - connection->used, MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return 0;
    connection->used += (size_t)got;
    connection->request[connection->used] = '\0';
    char* end;
    while ((end = strstr(connection->request, "\r\n\r\n")) != NULL) {
      if (strncmp(connection->request, "GET ", 4) != 0) return 0;
      answer(connection->fd, connection->request + 4);
      connection->used -= (size_t)(end + 4 - connection->request);
      memmove(connection->request, end + 4, connection->used + 1);
    }
    if (connection->used == kRoom - 1) return 0;
  }
}

static void accept_one(int epoll) {
  const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return;  // another thread was faster
  struct connection* connection = calloc(1, sizeof(*connection));
  connection->fd = fd;
  watch(epoll, fd, connection, EPOLLIN);
}

static void* work(void* argument) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, listener, &listener, EPOLLIN | EPOLLEXCLUSIVE);
  watch(epoll, quit, &quit, EPOLLIN);
  for (;;) {
    struct epoll_event event;
    const int got = epoll_wait(epoll, &event, 1, 30000);
    if (got < 0 && errno != EINTR) fail("epoll_wait");
    if (got <= 0) continue;
    if (event.data.ptr == &quit) break;
    if (event.data.ptr == &listener) {
      accept_one(epoll);
      continue;
    }
    struct connection* connection = event.data.ptr;
    if (!serve(connection)) {
      close(connection->fd);
      free(connection);
    }
  }
  close(epoll);
  return argument;
}

static void* tick(void* argument) {
  const struct itimerspec often = {{0, 5000000}, {0, 5000000}};
  if (timerfd_settime(timer, 0, &often, NULL) != 0) fail("timerfd_settime");
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, timer, &timer, EPOLLIN);
  watch(epoll, quit, &quit, EPOLLIN);
  for (;;) {
    struct epoll_event event;
    if (epoll_wait(epoll, &event, 1, -1) != 1) continue;
    if (event.data.ptr == &quit) break;
    uint64_t times;
    if (read(timer, &times, sizeof(times)) != sizeof(times)) fail("read");
    pthread_mutex_lock(&mutex);
    ticks += (long)times;
    pthread_mutex_unlock(&mutex);
  }
  close(epoll);
  return argument;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int threads = atoi(argv[2]);
  if (threads < 1 || threads > kMostThreads) return 2;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)atoi(argv[1])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int yes = 1;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (bind(listener, (struct sockaddr*)&address, sizeof(address)) != 0) {
    fail("bind");
  }
  if (listen(listener, 64) != 0) fail("listen");
  quit = eventfd(0, EFD_CLOEXEC);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  pthread_t workers[kMostThreads], ticker;
  pthread_create(&ticker, NULL, tick, NULL);
  for (int i = 0; i < threads; ++i) {
    pthread_create(&workers[i], NULL, work, NULL);
  }
  puts("listening");
  fflush(stdout);
  for (int i = 0; i < threads; ++i) pthread_join(workers[i], NULL);
  pthread_join(ticker, NULL);
  printf("sum %ld\n", sum);
  return 0;
}
