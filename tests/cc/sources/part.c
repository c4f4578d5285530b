#include "part.h"

static int calls;

int part(int n) { return n + ++calls; }
