// The routine calls pthread_once for itself, and waits for its own end.
//
// EXPECT: deadlock+misuse
// TEXT:   which it holds itself

#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;

static void init(void) { pthread_once(&control, init); }

int main(void) { return pthread_once(&control, init); }
