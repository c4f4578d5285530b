#include "runtime/model/requests.h"

#include "runtime/gate/gate.h"
#include "runtime/sys/page.h"
#include "sched/plan.h"

namespace fairlead::rt {
namespace {

using abi::RequestRecord;

// Where requests come in.
struct Door {
  uint64_t num_begun = 0;
  bool open = false;  // somebody is being served:
  RequestRecord served = {};
};
constinit Door door;

bool IsSerial() {
  return control_page()->plan.strategy ==
         static_cast<uint32_t>(sched::StrategyId::kSerial);
}

// Whether it is the turn of what the thread would begin.
bool MayBegin(const Thread& thread) {
  if (door.open) return false;
  abi::ControlPage& page = *control_page();
  if (door.num_begun >= page.region(abi::RegionId::kRequestsIn).used) {
    return true;
  }
  const RequestRecord& next =
      page.entries<RequestRecord>(abi::RegionId::kRequestsIn)[door.num_begun];
  const auto& mine = *static_cast<const RequestRecord*>(thread.intent.state);
  return next.session == mine.session && next.request == mine.request;
}

}  // namespace

void BeginRequest(Thread& thread, uint64_t session, uint64_t request,
                  const Place& place) {
  if (!IsSerial()) return;
  RequestRecord mine = {session, request};
  gate().Arrive(thread,
                {.op = EventKind::kRequestBegin,
                 .object = &door,
                 .ready = MayBegin,
                 .state = &mine},
                place);
  door.open = true;
  door.served = mine;
  ++door.num_begun;
  gate().Changed(&door);
}

void EndRequest(uint64_t session, uint64_t request) {
  if (!IsSerial() || !door.open) return;
  if (door.served.session != session || door.served.request != request) return;
  door.open = false;
  gate().Changed(&door);
}

}  // namespace fairlead::rt
