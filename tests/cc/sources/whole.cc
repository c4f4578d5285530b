#include <cstdio>

#include "part.h"

int main() { std::printf("whole %d\n", part(1)); }
