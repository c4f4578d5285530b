// Waits for a client in some schedules, which nobody is: neither a deadlock,
// since one could come, nor a program that is known to be right.

#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static _Atomic int served;

static void* serve(void* unused) {
  served = 1;
  return unused;
}

int main(void) {
  struct sockaddr_in here = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr*)&here, sizeof(here));
  listen(listener, 1);
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  if (!served) accept(listener, 0, 0);
  pthread_join(thread, 0);
  return 0;
}
