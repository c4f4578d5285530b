int absent(void);
int main(void) { return absent(); }
