// The header of merged.cc and parts/merged_other.cc.

inline int merged_value = 5;

inline int Increment(int* p) {  // function none x1
  return ++*p;  // fires load x2, store x2 // site load x1 // site store x1
}

template <typename T>
T Add(T x) {  // function none x1
  return x + merged_value;  // fires load x2 // site load x1
}

static int Fixed() {  // function internal x1
  return merged_value - merged_value;  // fires load x4 // site load x2
}

int Both();
