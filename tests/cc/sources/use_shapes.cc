#include <cstdio>
import shapes;
int main() { std::printf("area %d\n", area(3)); }
