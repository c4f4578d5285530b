// Barnes-Hut in the plane, shared among threads: the phases and the sharing of
// SPLASH-2's Barnes (bodies loaded into a tree whose cells have locks, centres
// of mass, forces, moves, a barrier between each), written anew.
//
//   barnes [threads] [bodies] [steps]      prints a checksum

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kQuarters = 4, kLocks = 64, kDepth = 24 };

struct body {
  double x, y, vx, vy, ax, ay;
};

// A cell has either a body or children; an empty one has neither.
struct cell {
  double x, y, half;  // the square: centre and half of its side
  double mass, cx, cy;
  struct cell* children[kQuarters];
  struct body* body;
};

static int num_threads = 2;
static int num_bodies = 1024;
static int num_steps = 100;
static struct body* bodies;
static struct cell* cells;
static int num_cells;  // atomic
static int max_cells;
static pthread_mutex_t locks[kLocks];
static pthread_barrier_t barrier;

static pthread_mutex_t* lock_of(const struct cell* cell) {
  return &locks[(cell - cells) % kLocks];
}

static struct cell* new_cell(double x, double y, double half) {
  const int index = __atomic_fetch_add(&num_cells, 1, __ATOMIC_RELAXED);
  if (index >= max_cells) abort();
  cells[index] = (struct cell){.x = x, .y = y, .half = half};
  return &cells[index];
}

static int quarter_of(const struct cell* cell, const struct body* body) {
  return (body->x >= cell->x) + 2 * (body->y >= cell->y);
}

static struct cell* new_child(const struct cell* cell, int quarter) {
  const double half = cell->half / 2;
  return new_cell(cell->x + (quarter & 1 ? half : -half),
                  cell->y + (quarter & 2 ? half : -half), half);
}

// The child that `body` belongs to, if the cell is already divided.
static struct cell* child_for(struct cell* cell, const struct body* body) {
  return cell->children[quarter_of(cell, body)];
}

static void divide(struct cell* cell) {
  for (int q = 0; q < kQuarters; ++q) cell->children[q] = new_child(cell, q);
  cell->children[quarter_of(cell, cell->body)]->body = cell->body;
  cell->body = NULL;
}

static void load(struct body* body) {
  struct cell* cell = &cells[0];
  for (int depth = 0; depth < kDepth; ++depth) {
    pthread_mutex_t* lock = lock_of(cell);
    pthread_mutex_lock(lock);
    if (cell->body == NULL && cell->children[0] == NULL) {
      cell->body = body;
      pthread_mutex_unlock(lock);
      return;
    }
    if (cell->body != NULL) divide(cell);
    struct cell* child = child_for(cell, body);
    pthread_mutex_unlock(lock);
    cell = child;
  }
  // Bodies closer than that are taken for one: the newcomer has no weight.
}

static void weigh(struct cell* cell) {
  cell->mass = cell->cx = cell->cy = 0;
  if (cell->body != NULL) {
    cell->mass = 1;
    cell->cx = cell->body->x;
    cell->cy = cell->body->y;
  }
  if (cell->children[0] == NULL) return;
  for (int q = 0; q < kQuarters; ++q) {
    struct cell* child = cell->children[q];
    weigh(child);
    cell->mass += child->mass;
    cell->cx += child->mass * child->cx;
    cell->cy += child->mass * child->cy;
  }
  cell->cx /= cell->mass;
  cell->cy /= cell->mass;
}

static void attract(struct body* body, const struct cell* cell) {
  if (cell->mass == 0 || cell->body == body) return;
  const double dx = cell->cx - body->x;
  const double dy = cell->cy - body->y;
  const double distance2 = dx * dx + dy * dy + 1e-4;
  if (cell->children[0] != NULL && 4 * cell->half * cell->half > distance2) {
    for (int q = 0; q < kQuarters; ++q) attract(body, cell->children[q]);
    return;
  }
  const double factor = cell->mass / (distance2 * sqrt(distance2));
  body->ax += factor * dx;
  body->ay += factor * dy;
}

static void move(struct body* body) {
  const double dt = 1e-6;
  body->vx += dt * body->ax;
  body->vy += dt * body->ay;
  body->x += dt * body->vx;
  body->y += dt * body->vy;
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  for (int step = 0; step < num_steps; ++step) {
    if (me == 0) {
      num_cells = 0;
      new_cell(0, 0, 2);
    }
    pthread_barrier_wait(&barrier);
    for (int i = me; i < num_bodies; i += num_threads) load(&bodies[i]);
    pthread_barrier_wait(&barrier);
    if (me == 0) weigh(&cells[0]);
    pthread_barrier_wait(&barrier);
    for (int i = me; i < num_bodies; i += num_threads) {
      bodies[i].ax = bodies[i].ay = 0;
      attract(&bodies[i], &cells[0]);
    }
    pthread_barrier_wait(&barrier);
    for (int i = me; i < num_bodies; i += num_threads) move(&bodies[i]);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) num_threads = atoi(argv[1]);
  if (argc > 2) num_bodies = atoi(argv[2]);
  if (argc > 3) num_steps = atoi(argv[3]);
  max_cells = 64 * num_bodies + 64;
  bodies = calloc(num_bodies, sizeof *bodies);
  cells = malloc(sizeof *cells * max_cells);
  for (int i = 0; i < num_bodies; ++i) {
    bodies[i].x = sin(i * 12.9898) * (1 - 0.5 / (1 + i % 7));
    bodies[i].y = cos(i * 78.233) * (1 - 0.5 / (1 + i % 5));
  }
  for (int i = 0; i < kLocks; ++i) pthread_mutex_init(&locks[i], NULL);
  pthread_barrier_init(&barrier, NULL, num_threads);
  pthread_t threads[64];
  for (long t = 0; t < num_threads; ++t) {
    pthread_create(&threads[t], NULL, work, (void*)t);
  }
  for (int t = 0; t < num_threads; ++t) pthread_join(threads[t], NULL);
  double sum = 0;
  for (int i = 0; i < num_bodies; ++i) sum += bodies[i].x + bodies[i].y;
  printf("barnes %.6f\n", sum);
  free(cells);
  free(bodies);
  return 0;
}
