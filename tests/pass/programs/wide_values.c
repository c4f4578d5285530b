// Languages: c c++
//
// Values wider than eight bytes and vectors tell that they happened, not what
// they were; bit-fields tell the storage they share; small integers and bool
// are zero-extended.

#include <stdbool.h>

typedef float Vector __attribute__((vector_size(16)));

__int128 huge;
long double extended;
Vector vector, input = {1, 2, 3, 4};
bool truth;
signed char tiny;
float real;
struct Bits {
  unsigned low : 3, high : 5, rest : 24;
} bits;

int main(void) {
  huge = (__int128)1 << 100;  // fires store/16=0 // site store flags=no-value
  extended = 1.5L;  // fires store/10=0
  vector = input + input;  // fires load/16 x2, store/16=0
  truth = true;  // fires store/1=1
  tiny = -1;  // fires store/1=-1
  real = 1.0f;  // fires store/4=0x3f800000
  bits.high = 2;  // fires load=0, store=16
  bits.low = 1;  // fires load=16, store=17
  return truth &&  // fires load/1=1
                 bits.high == 2 &&  // fires load=17
                 huge != 0  // fires load/16=0
             ? 0
             : 1;
}
