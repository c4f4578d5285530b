// Languages: c c++
//
// A volatile access happens exactly as often as it is written, and its record
// says that it is volatile.

volatile int device;
volatile unsigned char port;

int main(void) {
  device = 1;  // fires store=1 // site store flags=volatile
  device = 2;  // fires store=2
  int a = device;  // fires load=2 // site load flags=volatile
  (void)device;  // fires load=2
  port = 200;  // fires store/1=200
  return a == 2 ? 0 : 1;
}
