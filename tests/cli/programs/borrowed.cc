// A picture that its users count, and whose last user frees it. Without FIXED,
// counting down and looking whether one was the last are two steps, so that two
// users may both be the last, or one may look when the picture is gone.

#include <atomic>
#include <thread>

namespace {

class Picture {
 public:
  void Borrow() { ++users_; }
  void GiveBack() {
#ifdef FIXED
    if (--users_ == 0) delete this;
#else
    --users_;
    if (users_ == 0) delete this;
#endif
  }
  int width() const { return width_; }

 private:
  std::atomic<int> users_{1};
  int width_ = 640;
};

std::atomic<int> drawn{0};

void Draw(Picture* picture) {
  drawn += picture->width();
  picture->GiveBack();
}

}  // namespace

int main() {
  auto* picture = new Picture;
  picture->Borrow();
  std::thread screen(Draw, picture);
  std::thread printer(Draw, picture);
  screen.join();
  printer.join();
  return drawn == 1280 ? 0 : 1;
}
