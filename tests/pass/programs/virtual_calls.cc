// Reading an object's table pointer is an access to the object and races with
// its destructor; reading the table itself is not, for it never changes.

struct Shape {  // fires store/8
  virtual ~Shape() = default;  // fires store x*
  virtual int Sides() const { return 0; }
};
struct Square : Shape {  // fires store x*
  int Sides() const override { return 4; }
};

int Count(const Shape& shape) {
  return shape.Sides();  // fires load/8 x3
}

int main() {
  Square square;
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += Count(square);
  return sum == 12 ? 0 : 1;
}
