// Threads, primitives and descriptors that begin and end.

#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static sem_t never;
static int ends[2];
static int x;

static void* Destroys(void* unused) {
  pthread_mutex_destroy(&m);  // #destroy
  return unused;
}
static void* Writes(void* unused) {
  x = 1;  // #a
  return unused;
}

static void* Closes(void* unused) {
  close(ends[1]);  // #close
  return unused;
}

static void* Ends(void* unused) {
  char byte;
  if (read(ends[0], &byte, 1) == 0) {
    x = 4;  // #end_of_file
  }
  return unused;
}

static void* Waits(void* unused) {
  sem_wait(&ready);  // #wait
  x = 5;             // #waited
  return unused;
}
static void* Posts(void* unused) {
  x = 6;             // #ahead
  sem_post(&ready);  // #post
  return unused;
}

static void* DestroysLater(void* unused) {
  sem_wait(&ready);
  pthread_mutex_destroy(&m);  // #destroy_later
  return unused;
}
static void* Uses(void* unused) {
  pthread_mutex_lock(&m);  // #use
  pthread_mutex_unlock(&m);
  sem_post(&ready);
  return unused;
}

static void* Asleep(void* unused) {
  x = 7;  // #awake
  sem_wait(&never);
  x = 8;  // #never
  return unused;
}
static void* Cancels(void* unused) {
  pthread_t child;
  pthread_create(&child, NULL, Asleep, NULL);
  pthread_cancel(child);  // #cancel
  pthread_join(child, NULL);
  return unused;
}

static void* Child(void* unused) {
  x = 2;  // #child
  return unused;
}
static void* Parent(void* unused) {
  pthread_t child;
  pthread_create(&child, NULL, Child, NULL);  // #create
  pthread_join(child, NULL);                  // #join
  return unused;
}

// Waits for what another process will write.
static void* Reads(void* unused) {
  char byte;
  if (read(ends[0], &byte, 1) == 1) {
    x = 3;  // #arrived
  }
  return unused;
}

int main(int argc, char** argv) {
  if (pipe(ends) != 0) return 2;
  sem_init(&ready, 0, 0);
  sem_init(&never, 0, 0);
  switch (argc > 1 ? atoi(argv[1]) : 1) {
    case 1:
      RUN_THREADS(Destroys, Writes);
      break;
    case 2:
      RUN_THREADS(Closes, Writes);
      break;
    case 3:
      RUN_THREADS(Parent, Writes);
      break;
    case 5:
      RUN_THREADS(Waits, Posts);
      break;
    case 6:
      RUN_THREADS(Cancels, Writes);
      break;
    case 7:
      RUN_THREADS(Closes, Ends);
      break;
    case 8:
      RUN_THREADS(DestroysLater, Uses);
      break;
    default:
      if (fork() == 0) {
        usleep(20000);
        _exit(write(ends[1], "!", 1) == 1 ? 0 : 1);
      }
      RUN_THREADS(Reads, Writes);
      break;
  }
  return 0;
}
