/* Functions that nobody calls, for --gc-sections to take away. */
int used;
int waste(void) { return used++; }
int main(void) { return used; }
