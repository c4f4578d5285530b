#include <vector>
std::vector<int&> none;
int main() { return }
