/* Links only if --gc-sections takes the unused function away. */
int counter;
int absent(void);
int waste(void) { return absent() + counter++; }
int main(void) { return counter; }
