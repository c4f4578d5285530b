#include "runtime/model/mappings.h"

#include "runtime/alloc/heap.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/objects.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr size_t kPage = 4096;
uintptr_t next_mapping = kMappingsBegin;

size_t Pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// Whether the kernel may put the mapping anywhere.
bool IsFree(const MapRequest& request) {
  return request.address == nullptr && request.bytes != 0 &&
         (request.flags & (MAP_FIXED | MAP_32BIT | MAP_HUGETLB)) == 0;
}

long Map(const MapRequest& request, void* address, int more_flags) {
  return sys::Call(SYS_mmap, sys::Arg(address),
                   static_cast<long>(request.bytes), request.protection,
                   request.flags | more_flags, request.fd, request.offset);
}

long MapAtOurs(const MapRequest& request) {
  const size_t room = Pages(request.bytes) + kPage;  // a gap that faults
  if (room < request.bytes || room > kMappingsEnd - next_mapping) {
    return Map(request, nullptr, 0);
  }
  const long result =
      Map(request, reinterpret_cast<void*>(next_mapping), MAP_FIXED_NOREPLACE);
  // Some devices take no address, such as the rings of io_uring; whatever else
  // is wrong is so wherever it is to lie.
  if (sys::Failed(result)) return Map(request, nullptr, 0);
  next_mapping += room;
  return result;
}

}  // namespace

long MapQuietly(const MapRequest& request) {
  return IsFree(request) ? MapAtOurs(request)
                         : Map(request, request.address, 0);
}

long MapMemory(Thread& thread, const MapRequest& request, const Place& place) {
  ForgetWrite(thread);
  const long result = MapQuietly(request);
  if (sys::Failed(result)) return result;
  thread.place = place;
  emitter().Emit(thread, EventKind::kMap, 0, reinterpret_cast<void*>(result),
                 request.bytes,
                 {.kind = EventKind::kExtBlock,
                  .address = 0,
                  .value = NumberBlock(),
                  .site = static_cast<uint32_t>(abi::BlockClass::kMapped),
                  .node = (request.flags & MAP_ANONYMOUS) != 0});
  return result;
}

long UnmapMemory(Thread& thread, void* address, size_t bytes,
                 const Place& place) {
  ForgetWrite(thread);
  const long result = sys::Unmap(address, bytes);
  if (sys::Failed(result)) return result;
  EndObjectsIn(address, bytes);
  thread.place = place;
  gate().Tell(thread, EventKind::kUnmap, address, bytes);
  emitter().Emit(thread, EventKind::kUnmap, 0, address, bytes);
  return result;
}

}  // namespace fairlead::rt
