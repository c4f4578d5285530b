// select with all three sets, urgent data among them; pselect lets a signal in.
// FLAGS: -O2

#include <arpa/inet.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>

#include "want.h"

static volatile sig_atomic_t signalled;
static pthread_t main_thread;

static void on_signal(int number) { signalled = number; }

static void* client(void* address) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  want(connect(fd, address, sizeof(struct sockaddr_in)) == 0);
  want(send(fd, "!", 1, MSG_OOB) == 1);
  char byte;
  want(recv(fd, &byte, 1, 0) == 1);
  want(send(fd, "plain", 5, 0) == 5);
  want(shutdown(fd, SHUT_WR) == 0);
  want(recv(fd, &byte, 1, 0) == 0);
  close(fd);
  want(pthread_kill(main_thread, SIGUSR1) == 0);
  return NULL;
}

int main(void) {
  main_thread = pthread_self();
  struct sigaction action = {.sa_handler = on_signal};
  want(sigaction(SIGUSR1, &action, NULL) == 0);
  sigset_t blocked, open;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &open);
  struct sockaddr_in here = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof(here);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  want(bind(listener, (struct sockaddr*)&here, size) == 0);
  want(getsockname(listener, (struct sockaddr*)&here, &size) == 0);
  want(listen(listener, 1) == 0);
  const pthread_t thread = start(client, &here);
  const int fd = accept(listener, NULL, NULL);
  want(fd >= 0);
  fd_set in, out, urgent;
  FD_ZERO(&urgent);
  FD_SET(fd, &urgent);
  want(select(fd + 1, NULL, NULL, &urgent, NULL) == 1);
  char text[16] = "";
  want(recv(fd, text, 1, MSG_OOB) == 1 && text[0] == '!');
  FD_ZERO(&out);
  FD_SET(fd, &out);
  want(select(fd + 1, NULL, &out, NULL, NULL) == 1 && FD_ISSET(fd, &out));
  want(send(fd, "x", 1, 0) == 1);
  size_t used = 0;
  for (ssize_t got = 1; got > 0; used += (size_t)got) {
    FD_ZERO(&in);
    FD_SET(fd, &in);
    want(select(fd + 1, &in, NULL, NULL, NULL) == 1);
    got = recv(fd, text + used, sizeof(text) - used, 0);
    want(got >= 0);
  }
  close(fd);
  want(pselect(0, NULL, NULL, NULL, NULL, &open) == -1 && errno == EINTR);
  finish(thread);
  printf("%.*s, signal %d\n", (int)used, text, (int)signalled);
  return 0;
}
