#include "tests/pass/probe/annotations.h"

// The probe fills tables; it has no calls of its own to be filled.
#define FAIRLEAD_DISABLE
#include "fairlead/detail/table.h"
#include "tests/pass/probe/log.h"

namespace fairlead::probe {
namespace {

void TellCall(const char* name, const char* text, uint64_t number) {
  Tell(Line("call").Add("name", name).Add("text", text).Add("number", number));
}

const fairlead_table kTable = {
    .version = FAIRLEAD_API_VERSION,
    .size = sizeof(fairlead_table),
    .thread_name = [](const char* name) { TellCall("thread_name", name, 0); },
    .quiet_begin = [] { TellCall("quiet_begin", "", 0); },
    .quiet_end = [] { TellCall("quiet_end", "", 0); },
    .acquire = [](const volatile void*) { TellCall("acquire", "", 0); },
    .release = [](const volatile void*) { TellCall("release", "", 0); },
    .benign = [](const volatile void*,
                 size_t size) { TellCall("benign", "", size); },
    .choose =
        [](unsigned options) {
          TellCall("choose", "", options);
          return options - 1;
        },
    .always = [](int condition,
                 const char* text) { TellCall("always", text, condition); },
    .sometimes =
        [](int condition, const char* text) {
          TellCall("sometimes", text, condition);
        },
    .reachable = [](const char* text) { TellCall("reachable", text, 0); },
    .ready = [] { TellCall("ready", "", 0); },
    .quiescent = [] { TellCall("quiescent", "", 0); },
    .mark = [](const char* text,
               uint64_t value) { TellCall("mark", text, value); },
    .request_begin =
        [](uint64_t session, uint64_t request, const void* bytes, size_t size) {
          const std::string text(static_cast<const char*>(bytes), size);
          TellCall("request_begin", text.c_str(), 10 * session + request);
        },
    .request_end =
        [](uint64_t session, uint64_t request, const void* bytes, size_t size) {
          const std::string text(static_cast<const char*>(bytes), size);
          TellCall("request_end", text.c_str(), 10 * session + request);
        },
    .state_add = [](const char* component, const void*,
                    size_t size) { TellCall("state_add", component, size); },
    .state_remove =
        [](const char* component, const void*, size_t size) {
          TellCall("state_remove", component, size);
        },
    .state_append =
        [](const char* component, const void*, size_t size) {
          TellCall("state_append", component, size);
        },
    .state_clear =
        [](const char* component) { TellCall("state_clear", component, 0); },
    .set_add = [](const char* set, const volatile void*,
                  size_t size) { TellCall("set_add", set, size); },
    .unit_begin = [](const char* name) { TellCall("unit_begin", name, 0); },
    .unit_end = [](const char* name) { TellCall("unit_end", name, 0); },
    .guard_address = [](const volatile void*,
                        size_t size) { TellCall("guard_address", "", size); },
    .explore_next = nullptr,
    .explore_failed = nullptr,
    .session = [](const char* name) -> uint64_t {
      TellCall("session", name, 0);
      return 6;
    },
    .request_status =
        [](uint64_t session, uint64_t request, int64_t status,
           const void* bytes, size_t size) {
          const std::string text(static_cast<const char*>(bytes), size);
          TellCall(
              "request_status", text.c_str(),
              100 * session + 10 * request + static_cast<uint64_t>(status));
        },
    .component =
        [](const char* component, fairlead_component_kind kind) {
          TellCall("component", component, kind);
        },
    .state_put =
        [](const char* component, const void*, size_t key_size, const void*,
           size_t size) {
          TellCall("state_put", component, 10 * key_size + size);
        },
    .state_set = [](const char* component, const void*,
                    size_t size) { TellCall("state_set", component, size); },
    .unit_begin_on =
        [](const char* name, const volatile void* object) {
          TellCall("unit_begin_on", name, object != nullptr);
        },
    .mark_bytes =
        [](const void*, size_t size, uint64_t value) {
          TellCall("mark_bytes", "", size + value);
        },
    .state_walk =
        [](const char* component, fairlead_walk_function* function,
           void* object) {
          TellCall("state_walk", component, 0);
          function(nullptr, object);
        },
    .walk_element = [](fairlead_walk*, const void*,
                       size_t size) { TellCall("walk_element", "", size); },
    .walk_entry =
        [](fairlead_walk*, const void*, size_t key_size, const void*,
           size_t size) { TellCall("walk_entry", "", 10 * key_size + size); },
};

}  // namespace

void Attach(const abi::AnnotationRecord& record) {
  Tell(Line("annotations").Add("version", record.version));
  *record.table.get() = &kTable;
}

}  // namespace fairlead::probe
