// Probe: before,after,frames
//
// Pointer parameters beside structs by value, which the machine passes in
// pieces, in memory or not at all: each is still handed to `enter`, and a method
// still knows `this`. Accesses through `this` say so.  Only bodies of lambdas
// are lambdas, not what is made for one.

extern "C" int printf(const char*, ...);

struct View {
  const char* text;
  unsigned long size;
};
struct Large {
  long numbers[4];
};
struct Empty {};

template <typename Call>
int Run(const Call& call, int* number) {  // function internal params=0:,1: // fires enter x*, exit x*
  return call(number);
}

class Log {  // type Log size=8
 public:
  void Append(View view, Log* other) {  // function this class=Log params=0:Log,2:Log // fires enter($log,$log), exit
    length_ += static_cast<int>(view.size);  // fires load=0@Log.length_, store=2@Log.length_ // site load flags=this // site store flags=this
    other->marks_ = 1;  // fires store=1@Log.marks_ // site store flags=none
  }
  void Scale(double, double, Empty, const Log& other) {  // function this class=Log params=0:Log,4:Log // fires enter($log,$log), exit
    marks_ += other.marks_;  // fires load=1@Log.marks_ x2, store=2@Log.marks_
  }
  Large Copy(Large large, Log* other) {  // function this class=Log params=0:Log,2:Log // fires enter($log,$log), exit, store x*
    large.numbers[0] = other->length_;  // fires load=2@Log.length_, store=2 x*
    return large;  // fires range-read x*, range-write x*
  }
  static int Sum(View, Empty, Log* other) {  // function static class=Log params=2:Log // fires enter($log), exit
    return other->marks_;  // fires load=2@Log.marks_
  }
  int length_ = 0;
  int marks_ = 0;
};

static Log log;

int main() {  // fires enter, exit
  printf("log %#lx\n", reinterpret_cast<long>(&log));  // fires range-write/1~relaxed x*
  log.Append({"ab", 2}, &log);
  log.Scale(1, 2, {}, log);
  Large large = log.Copy({}, &log);  // fires range-write x*, range-read x*
  int three = 3;  // fires store=3
  const int sum = Log::Sum({"", 0}, {}, &log);
  const int ran = Run([](int* number) { return *number; }, &three);  // function lambda,this,internal,const params=0:,1: // fires enter, exit, load=3
  return sum == 2 && ran == 3 && large.numbers[0] == 2 ? 0 : 1;  // fires load x*
}
