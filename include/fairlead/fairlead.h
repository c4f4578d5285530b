/* fairlead/fairlead.h
 *
 * What a program may tell Fairlead about itself. Every call is empty unless the
 * program runs under `fairlead`: it then costs a load and a branch, needs no
 * library, and never fails. Works in C11 and C++11 and later, with gcc and
 * clang, with and without the instrumentation; on other systems, and with
 * FAIRLEAD_DISABLE defined, everything here is empty for good.
 *
 * Contracts that hold for all calls: any thread may call; text is copied before
 * the call returns and may be null; addresses are names, they are not accessed;
 * `errno` is kept.
 *
 * Versioned by FAIRLEAD_API_VERSION. A program built with a newer header runs
 * under an older runtime, which ignores what it does not know.
 */

#ifndef FAIRLEAD_FAIRLEAD_H_
#define FAIRLEAD_FAIRLEAD_H_

#include <stddef.h>
#include <stdint.h>

#include "detail/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls made for the runtime are not the program's: they have no sites. */
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define FAIRLEAD_UNSEEN __attribute__((disable_sanitizer_instrumentation))
#endif
#endif
#ifndef FAIRLEAD_UNSEEN
#define FAIRLEAD_UNSEEN
#endif
#if defined(__GNUC__)
#define FAIRLEAD_INLINE \
  FAIRLEAD_UNSEEN __attribute__((always_inline, unused)) static inline
#else
#define FAIRLEAD_INLINE static inline
#endif

#if FAIRLEAD_DETAIL_PRESENT
/* Whether the runtime knows and fills a slot. */
#define FAIRLEAD_HAS(table, slot)                                       \
  ((table) != NULL &&                                                   \
   (table)->size >=                                                     \
       offsetof(struct fairlead_table, slot) + sizeof((table)->slot) && \
   (table)->slot != NULL)
#define FAIRLEAD_TELL(slot, arguments)                           \
  do {                                                           \
    const struct fairlead_table* const table = __fl_annotations; \
    if (FAIRLEAD_HAS(table, slot)) table->slot arguments;        \
  } while (0)
#else
#define FAIRLEAD_TELL(slot, arguments) \
  do {                                 \
  } while (0)
#endif

/* Whether a runtime is there. For output, not for decisions: a program that
 * behaves differently under observation is not the one that was to be tested.
 */
FAIRLEAD_INLINE int fairlead_attached(void) {
#if FAIRLEAD_DETAIL_PRESENT
  return __fl_annotations != NULL;
#else
  return 0;
#endif
}

/* Names the calling thread in traces and reports. `name` is copied; the last
 * call wins. */
FAIRLEAD_INLINE void fairlead_thread_name(const char* name) {
  (void)name;
  FAIRLEAD_TELL(thread_name, (name));
}

/* From here to the matching fairlead_quiet_end() the calling thread is not
 * switched away from by choice: accesses and calls in the region are no
 * scheduling points, unless the thread must wait. Regions nest, and belong to
 * the thread. For code that is known to be right and too busy to explore; a bug
 * inside such a region is not found. */
FAIRLEAD_INLINE void fairlead_quiet_begin(void) {
  FAIRLEAD_TELL(quiet_begin, ());
}

/* Ends the innermost region that fairlead_quiet_begin() began. */
FAIRLEAD_INLINE void fairlead_quiet_end(void) { FAIRLEAD_TELL(quiet_end, ()); }

/* Custom synchronisation: what happened before an earlier
 * fairlead_release(address) in any thread happened before what follows this
 * call. Write it behind the access that takes the lock or sees the message. */
FAIRLEAD_INLINE void fairlead_acquire(const volatile void* address) {
  (void)address;
  FAIRLEAD_TELL(acquire, (address));
}

/* The other half: write it ahead of the access that gives the lock back or
 * sends the message. `address` is a name and is not accessed. */
FAIRLEAD_INLINE void fairlead_release(const volatile void* address) {
  (void)address;
  FAIRLEAD_TELL(release, (address));
}

/* Accesses to these bytes are meant to race: conflicts on them are not
 * reported. They still happen, and are still ordered and replayed. Holds until
 * the memory is freed. */
FAIRLEAD_INLINE void fairlead_benign(const volatile void* address,
                                     size_t size) {
  (void)address;
  (void)size;
  FAIRLEAD_TELL(benign, (address, size));
}

/* A choice that the strategy makes: a number below `options`, recorded and
 * replayed with the schedule. 0 without a runtime, and for `options` below 2.
 * For what the program does not determine itself: which of two messages comes
 * first, whether an allocation fails. */
FAIRLEAD_INLINE unsigned fairlead_choose(unsigned options) {
#if FAIRLEAD_DETAIL_PRESENT
  const struct fairlead_table* const table = __fl_annotations;
  if (FAIRLEAD_HAS(table, choose)) return table->choose(options);
#endif
  (void)options;
  return 0;
}

/* The condition holds whenever this is reached; a run in which it does not is
 * a finding named `message`. Without a runtime it is not checked: use assert()
 * as well where a plain run should stop. */
FAIRLEAD_INLINE void fairlead_always(int condition, const char* message) {
  (void)condition;
  (void)message;
  FAIRLEAD_TELL(always, (condition, message));
}

/* Over all runs of a campaign the condition holds at least once here; if it was
 * asked and never held, the summary of `fairlead test` says so. */
FAIRLEAD_INLINE void fairlead_sometimes(int condition, const char* message) {
  (void)condition;
  (void)message;
  FAIRLEAD_TELL(sometimes, (condition, message));
}

/* Over all runs of a campaign this line is reached at least once. Kept in
 * traces; a line that no run comes to is not heard of. */
FAIRLEAD_INLINE void fairlead_reachable(const char* message) {
  (void)message;
  FAIRLEAD_TELL(reachable, (message));
}

/* The program has started up: what is of interest begins here. Threads that
 * exist and what they did so far are taken as given. */
FAIRLEAD_INLINE void fairlead_ready(void) { FAIRLEAD_TELL(ready, ()); }

/* The calling thread believes that nothing is in flight: no request is being
 * served, no work is queued. States may be compared here. */
FAIRLEAD_INLINE void fairlead_quiescent(void) { FAIRLEAD_TELL(quiescent, ()); }

/* Puts a mark into the trace, to find one's way or for a tool of one's own. */
FAIRLEAD_INLINE void fairlead_mark(const char* text, uint64_t value) {
  (void)text;
  (void)value;
  FAIRLEAD_TELL(mark, (text, value));
}

/* Marks of bytes that are no text, of any length up to 64 KiB; the rest is cut.
 */
FAIRLEAD_INLINE void fairlead_mark_bytes(const void* bytes, size_t size,
                                         uint64_t value) {
  (void)bytes;
  (void)size;
  (void)value;
  FAIRLEAD_TELL(mark_bytes, (bytes, size, value));
}

/* Requests and state: `fairlead test` holds the answers, and what is left, of
 * an execution against those of the same requests one at a time. `bytes` are
 * copied, up to 64 KiB, and compared as they are: no addresses, no padding. */

/* The session of this name: a client, or a connection of one. The same name
 * gives the same number in every execution; 0 without a runtime. */
FAIRLEAD_INLINE uint64_t fairlead_session(const char* name) {
#if FAIRLEAD_DETAIL_PRESENT
  const struct fairlead_table* const table = __fl_annotations;
  if (FAIRLEAD_HAS(table, session)) return table->session(name);
#endif
  (void)name;
  return 0;
}

/* A request of a session comes in; `bytes` is what it asks. `request` counts
 * within its session. */
FAIRLEAD_INLINE void fairlead_request_begin(uint64_t session, uint64_t request,
                                            const void* bytes, size_t size) {
  (void)session;
  (void)request;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(request_begin, (session, request, bytes, size));
}

/* The answer to it goes out; `bytes` is what it says. */
FAIRLEAD_INLINE void fairlead_request_end(uint64_t session, uint64_t request,
                                          const void* bytes, size_t size) {
  (void)session;
  (void)request;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(request_end, (session, request, bytes, size));
}

/* The same with a status: 0 = it was served, any other number is the error that
 * it ended with. */
FAIRLEAD_INLINE void fairlead_request_end_status(uint64_t session,
                                                 uint64_t request,
                                                 int64_t status,
                                                 const void* bytes,
                                                 size_t size) {
  (void)session;
  (void)request;
  (void)status;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(request_status, (session, request, status, bytes, size));
}

/* What sort of collection a component of the program's state is. Before
 * anything else is said of it; without it, a component is a multiset or, if it
 * is appended to, a sequence. */
FAIRLEAD_INLINE void fairlead_component(const char* component,
                                        enum fairlead_component_kind kind) {
  (void)component;
  (void)kind;
  FAIRLEAD_TELL(component, (component, kind));
}

/* A component of the state, as a set or multiset, gains an element. */
FAIRLEAD_INLINE void fairlead_state_add(const char* component,
                                        const void* bytes, size_t size) {
  (void)component;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(state_add, (component, bytes, size));
}

/* … or loses it. Of a map, `bytes` is the key. */
FAIRLEAD_INLINE void fairlead_state_remove(const char* component,
                                           const void* bytes, size_t size) {
  (void)component;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(state_remove, (component, bytes, size));
}

/* A component of the state, as a sequence, grows at its end. */
FAIRLEAD_INLINE void fairlead_state_append(const char* component,
                                           const void* bytes, size_t size) {
  (void)component;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(state_append, (component, bytes, size));
}

/* A component of the state, as a map, has this value for this key from now on.
 */
FAIRLEAD_INLINE void fairlead_state_put(const char* component, const void* key,
                                        size_t key_size, const void* bytes,
                                        size_t size) {
  (void)component;
  (void)key;
  (void)key_size;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(state_put, (component, key, key_size, bytes, size));
}

/* A component of the state, as a register, has this value from now on. */
FAIRLEAD_INLINE void fairlead_state_set(const char* component,
                                        const void* bytes, size_t size) {
  (void)component;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(state_set, (component, bytes, size));
}

/* A component of the state becomes empty. */
FAIRLEAD_INLINE void fairlead_state_clear(const char* component) {
  (void)component;
  FAIRLEAD_TELL(state_clear, (component));
}

/* A component of the state can be looked through: when states are compared,
 * `function` is called with `object` and calls fairlead_walk_element() or
 * fairlead_walk_entry() for all that is there, in place of, or to check, what
 * the calls above say. `object` lives until the program ends, or until the
 * component is walked by another. It is called at fairlead_quiescent(), to its
 * end: nobody is switched to, and nothing of it is seen. */
FAIRLEAD_INLINE void fairlead_state_walk(const char* component,
                                         fairlead_walk_function* function,
                                         void* object) {
  (void)component;
  (void)function;
  (void)object;
  FAIRLEAD_TELL(state_walk, (component, function, object));
}

/* From a walk function: the next element of a set, multiset or sequence, or the
 * value of a register. */
FAIRLEAD_INLINE void fairlead_walk_element(struct fairlead_walk* walk,
                                           const void* bytes, size_t size) {
  (void)walk;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(walk_element, (walk, bytes, size));
}

/* From a walk function: the next entry of a map. */
FAIRLEAD_INLINE void fairlead_walk_entry(struct fairlead_walk* walk,
                                         const void* key, size_t key_size,
                                         const void* bytes, size_t size) {
  (void)walk;
  (void)key;
  (void)key_size;
  (void)bytes;
  (void)size;
  FAIRLEAD_TELL(walk_entry, (walk, key, key_size, bytes, size));
}

/* Atomic sets and units of work. They are recorded in traces; no tool judges by
 * them yet, and `fairlead` says so of a program that calls them. */

/* These bytes belong to the atomic set `set`: they are consistent together and
 * are to be accessed as if at once. For linked structures and memory that has
 * no declaration; see also FAIRLEAD_ATOMIC_SET. Holds until the memory is
 * freed. */
FAIRLEAD_INLINE void fairlead_atomic_set_add(const char* set,
                                             const volatile void* address,
                                             size_t size) {
  (void)set;
  (void)address;
  (void)size;
  FAIRLEAD_TELL(set_add, (set, address, size));
}

/* The older name of fairlead_atomic_set_add(). */
FAIRLEAD_INLINE void fairlead_set_add(const char* set,
                                      const volatile void* address,
                                      size_t size) {
  (void)set;
  (void)address;
  (void)size;
  FAIRLEAD_TELL(set_add, (set, address, size));
}

/* A unit of work begins in the calling thread: its accesses to one atomic set
 * are to be as if alone. Units nest. */
FAIRLEAD_INLINE void fairlead_unit_begin(const char* name) {
  (void)name;
  FAIRLEAD_TELL(unit_begin, (name));
}

/* The same for the atomic sets of one object. */
FAIRLEAD_INLINE void fairlead_unit_begin_on(const char* name,
                                            const volatile void* object) {
  (void)name;
  (void)object;
  FAIRLEAD_TELL(unit_begin_on, (name, object));
}

/* Ends the innermost unit of work. */
FAIRLEAD_INLINE void fairlead_unit_end(const char* name) {
  (void)name;
  FAIRLEAD_TELL(unit_end, (name));
}

/* A hint to a guard: what to watch when not everything can be watched. */
FAIRLEAD_INLINE void fairlead_guard_address(const volatile void* address,
                                            size_t size) {
  (void)address;
  (void)size;
  FAIRLEAD_TELL(guard_address, (address, size));
}

/* Declarations. Empty but for fairlead-cc, whose tables keep them; no tool
 * judges by them yet.
 *
 *   struct account {
 *     long balance FAIRLEAD_ATOMIC_SET("money");
 *     long history[8] FAIRLEAD_ATOMIC_SET("money");
 *   };
 *   FAIRLEAD_UNIT_OF_WORK void transfer(struct account*, struct account*);
 *
 * FAIRLEAD_ATOMIC_SET: the field belongs to this set of its object.
 * FAIRLEAD_UNIT_OF_WORK: every call of the function is a unit.
 * FAIRLEAD_NOT_A_UNIT: no call of it is, whatever is inferred.
 * FAIRLEAD_GUARD_THIS_FUNC: a hint to a guard, as fairlead_guard_address(). */
#if defined(__FAIRLEAD__) && defined(__clang__) && !defined(FAIRLEAD_DISABLE)
#define FAIRLEAD_ANNOTATE(text) __attribute__((annotate("fairlead." text)))
#else
#define FAIRLEAD_ANNOTATE(text)
#endif
#define FAIRLEAD_ATOMIC_SET(name) FAIRLEAD_ANNOTATE("set:" name)
#define FAIRLEAD_UNIT_OF_WORK FAIRLEAD_ANNOTATE("unit")
#define FAIRLEAD_NOT_A_UNIT FAIRLEAD_ANNOTATE("not-a-unit")
#define FAIRLEAD_GUARD_THIS_FUNC FAIRLEAD_ANNOTATE("guard")

#undef FAIRLEAD_HAS
#undef FAIRLEAD_TELL
#undef FAIRLEAD_INLINE
#undef FAIRLEAD_UNSEEN

#ifdef __cplusplus
}
#endif

#endif /* FAIRLEAD_FAIRLEAD_H_ */
