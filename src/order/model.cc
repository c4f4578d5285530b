#include "order/model.h"

namespace fairlead::order {

void Model::OnOther(const Event& event) {
  // Functions are entered and left without giving or taking anything.
  if (event.kind == EventKind::kEnter || event.kind == EventKind::kLeave) {
    locks_before_ = locks_.SetOf(event.tid);
    return;
  }
  thread_->busy = event.seq;
  variables_.OnOther(event);
  Order(event);
  if (event.kind == EventKind::kBenign) {
    benign_.Add(event.address, event.value);
  } else if (EndsMemory(event.kind)) {
    benign_.Forget(event.address, event.value);
  }
  locks_before_ = locks_.SetOf(event.tid);
  locks_.OnEvent(event);
}

}  // namespace fairlead::order
