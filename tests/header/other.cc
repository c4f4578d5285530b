// The second unit, in C++: the wrappers, and the same pointer as main.c.

#include <fairlead/fairlead.hpp>

extern "C" unsigned CallFromOther(void);

extern "C" unsigned CallFromOther(void) {
  int object = 0;
  fairlead::ThreadName("other");
  {
    fairlead::QuietRegion quiet;
    fairlead::UnitOfWork unit("unit");
    fairlead::Acquire(object);
    fairlead::Release(object);
    fairlead::Benign(object);
  }
  {
    fairlead::Request request(3, 4, "put", 3);
    request.Answer("done", 4);
  }
  {
    fairlead::Request unanswered(3, 5, "drop", 4);
  }
  {
    fairlead::Request failed(3, 6, "drop", 4);
    failed.Fail(5, "bad", 3);
  }
  fairlead::AddToSet("set", object);
  {
    fairlead::UnitOfWork unit("on", &object);
  }
  fairlead::Always(true, "always");
  fairlead::Sometimes(true, "sometimes");
  fairlead::Reachable("reachable");
  return fairlead::Choose(5) + (fairlead::Maybe() ? 10u : 0u);
}
