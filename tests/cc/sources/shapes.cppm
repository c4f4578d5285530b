export module shapes;
int made;
export int area(int side) { ++made; return side * side; }
