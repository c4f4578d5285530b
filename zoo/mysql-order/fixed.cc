// MySQL: the acceptor starts a thread for a connection, and describes it.
//
// The fix: the thread waits until the acceptor says that it is complete.

#include "../zoo.h"

namespace {

struct ThreadVariables {
  unsigned id;
  unsigned num_errors;
};

struct Descriptor {
  ThreadVariables* mysys_var = nullptr;
  unsigned rows[6] = {};
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  bool complete = false;
};

// Answers a statement; errors are counted in the thread's variables.
void RunStatement(Descriptor* thd, unsigned statement) {
  ThreadVariables* variables = thd->mysys_var;
  thd->rows[statement] = variables->id + statement;
  if (thd->rows[statement] > 100) ++variables->num_errors;
}

void* HandleConnection(void* argument) {
  auto* thd = static_cast<Descriptor*>(argument);
  zoo_start();
  zoo_device(100000);  // the handshake
  pthread_mutex_lock(&thd->lock);
  while (!thd->complete) pthread_cond_wait(&thd->changed, &thd->lock);
  pthread_mutex_unlock(&thd->lock);
  for (unsigned i = 0; i < 6; ++i) RunStatement(thd, i);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  auto* thd = new Descriptor;
  const pthread_t thread = zoo_spawn(HandleConnection, thd);
  zoo_start();
  zoo_compute(4000, 6);  // counts the connection
  pthread_mutex_lock(&thd->lock);
  thd->mysys_var = new ThreadVariables{17, 0};
  thd->complete = true;
  pthread_cond_signal(&thd->changed);
  pthread_mutex_unlock(&thd->lock);
  zoo_join(thread);
  const unsigned last = thd->rows[5];
  const unsigned num_errors = thd->mysys_var->num_errors;
  delete thd->mysys_var;
  delete thd;
  return last == 22 && num_errors == 0 ? 0 : 1;
}
