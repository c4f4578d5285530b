#include "order/model.h"

namespace fairlead::order {

void Model::OnOther(const Event& event) {
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
