// EXPECT: dangling
// del_timer takes a timer off the wheel, but does not wait for a callback that
// already runs; the object that it belongs to is freed at once.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

struct timer {
  struct timer* next;
  void (*fn)(struct timer*);
  int pending;
};

struct session {
  int id;
  int ticks;
  struct timer timer;
};

static struct timer* wheel;
static struct timer* running;
static pthread_mutex_t wheel_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int stop;

static void add_timer(struct timer* timer) {
  pthread_mutex_lock(&wheel_lock);
  timer->pending = 1;
  timer->next = wheel;
  wheel = timer;
  pthread_mutex_unlock(&wheel_lock);
}

static void del_timer(struct timer* timer) {
  pthread_mutex_lock(&wheel_lock);
  for (struct timer** at = &wheel; *at != NULL; at = &(*at)->next) {
    if (*at == timer) {
      *at = timer->next;
      break;
    }
  }
  timer->pending = 0;
#ifdef FIXED
  while (running == timer) pthread_cond_wait(&idle, &wheel_lock);
#endif
  pthread_mutex_unlock(&wheel_lock);
}

static void session_tick(struct timer* timer) {
  struct session* session =
      (struct session*)((char*)timer - offsetof(struct session, timer));
  session->ticks++;
}

static void* wheel_thread(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&wheel_lock);
    if (stop) {
      pthread_mutex_unlock(&wheel_lock);
      return NULL;
    }
    struct timer* timer = wheel;
    if (timer != NULL) {
      wheel = timer->next;
      timer->pending = 0;
      running = timer;
    }
    pthread_mutex_unlock(&wheel_lock);
    if (timer != NULL) {
      timer->fn(timer);
      pthread_mutex_lock(&wheel_lock);
      running = NULL;
      pthread_cond_broadcast(&idle);
      pthread_mutex_unlock(&wheel_lock);
    }
    usleep(1000);
  }
}

static void* peer(void* arg) {
  struct session* session = arg;
  usleep(3000);
  del_timer(&session->timer);
  free(session);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct session* session = malloc(sizeof *session);
  session->id = 4;
  session->ticks = 0;
  session->timer.fn = session_tick;
  add_timer(&session->timer);
  pthread_create(&a, NULL, wheel_thread, NULL);
  pthread_create(&b, NULL, peer, session);
  pthread_join(b, NULL);
  pthread_mutex_lock(&wheel_lock);
  stop = 1;
  pthread_mutex_unlock(&wheel_lock);
  pthread_join(a, NULL);
  return 0;
}
