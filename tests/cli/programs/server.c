// A server on the socket that is its first argument, with a thread for each
// connection. A request is one letter: 'h' counts a hit, 'c' asks how many.
// Second argument: "lost" counts with the lock given up in between, "abort"
// dies when two hits meet, "fixed" does it right, and so do "busy", which has
// another thread if there is a file of that name, and "three", which ends when
// it has answered three requests. With a third one it ends by itself on
// SIGTERM, and says goodbye.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;
static int busy;
static const char* mode;

static int Is(const char* word) { return strcmp(mode, word) == 0; }

static void Hit(void) {
  pthread_mutex_lock(&lock);
  const int before = hits;
  if (Is("abort") && busy) abort();
  busy = 1;
  if (!Is("fixed") && !Is("busy") && !Is("three")) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  hits = before + 1;
  busy = 0;
  pthread_mutex_unlock(&lock);
}

static void* Serve(void* argument) {
  const int connection = (int)(long)argument;
  char letter = 0;
  if (read(connection, &letter, 1) == 1) {
    if (letter == 'h') Hit();
    pthread_mutex_lock(&lock);
    const char answer = (char)('0' + hits);
    pthread_mutex_unlock(&lock);
    if (write(connection, &answer, 1) != 1) abort();
  }
  close(connection);
  return NULL;
}

static void* Idle(void* unused) { return unused; }

static void SayGoodbye(int number) {
  (void)number;
  if (write(1, "goodbye\n", 8) != 8) abort();
  _exit(0);
}

int main(int argc, char** argv) {
  mode = argv[2];
  if (argc > 3) signal(SIGTERM, SayGoodbye);
  if (Is("busy") && access("busy", F_OK) == 0) {
    pthread_t idle;
    if (pthread_create(&idle, NULL, Idle, NULL) != 0) return 4;
    pthread_join(idle, NULL);
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof(address.sun_path) - 1);
  unlink(argv[1]);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr*)&address, sizeof(address)) != 0 ||
      listen(listener, 8) != 0) {
    perror("listen");
    return 2;
  }
  pthread_t threads[3];
  size_t num_threads = 0;
  while (!Is("three") || num_threads < 3) {
    const int connection = accept(listener, NULL, NULL);
    if (connection < 0) return 3;
    pthread_t thread;
    if (pthread_create(&thread, NULL, Serve, (void*)(long)connection) != 0) {
      return 4;
    }
    if (Is("three")) {
      threads[num_threads++] = thread;
    } else {
      pthread_detach(thread);
    }
  }
  while (num_threads > 0) pthread_join(threads[--num_threads], NULL);
  return 0;
}
