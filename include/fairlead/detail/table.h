/* fairlead/detail/table.h
 *
 * The table that the calls of fairlead.h go through: one pointer to it per
 * executable or shared object, null unless a runtime stored it. A runtime finds
 * the pointer by an ELF note of type 2 (src/abi/module.h, AnnotationRecord).
 * Nothing has to be linked, and nothing happens without a runtime.
 *
 * For runtimes and for fairlead.h; programs include fairlead.h.
 *
 * Slots are appended, never moved; a caller looks at `size` before it uses one,
 * so that a newer header works with an older runtime. A slot may be null: the
 * call has no effect then. A runtime must fill a table before it stores the
 * pointer, and never take it back.
 */

#ifndef FAIRLEAD_DETAIL_TABLE_H_
#define FAIRLEAD_DETAIL_TABLE_H_

#include <stddef.h>
#include <stdint.h>

/* History (newest first):
 *   2  sessions by name, requests with a status, components of the state with a
 *      kind, maps, registers and walks, units on an object, marks of bytes.
 *   1  first version. */
#define FAIRLEAD_API_VERSION 2

#ifdef __cplusplus
extern "C" {
#endif

/* One call of fairlead::explore(). Filled by the caller but for `done`. */
struct fairlead_exploration {
  uint32_t size;       /* of this struct, as the caller knows it */
  uint32_t failed;     /* 1 after explore_failed */
  uint64_t iterations; /* at most; 0 = as the runtime likes */
  uint64_t done;       /* closures begun so far; 0 at first */
  const char* name;    /* for messages; may be null */
};

/* How a component of the state is compared: what its elements are, and whether
 * their order and number count. Numbers are part of the event stream. */
enum fairlead_component_kind {
  FAIRLEAD_SET = 1,      /* each element once; summarised by XOR */
  FAIRLEAD_MULTISET = 2, /* elements with their number */
  FAIRLEAD_SEQUENCE = 3, /* elements in their order */
  FAIRLEAD_MAP = 4,      /* a value for each key */
  FAIRLEAD_REGISTER = 5  /* one value */
};

/* A walk over a component, the runtime's own; see fairlead_state_walk(). */
struct fairlead_walk;
typedef void fairlead_walk_function(struct fairlead_walk* walk, void* object);

struct fairlead_table {
  uint32_t version; /* FAIRLEAD_API_VERSION of the runtime */
  uint32_t size;    /* bytes of this table that the runtime filled */

  void (*thread_name)(const char* name);
  void (*quiet_begin)(void);
  void (*quiet_end)(void);
  void (*acquire)(const volatile void* address);
  void (*release)(const volatile void* address);
  void (*benign)(const volatile void* address, size_t size);
  unsigned (*choose)(unsigned options);
  void (*always)(int condition, const char* message);
  void (*sometimes)(int condition, const char* message);
  void (*reachable)(const char* message);
  void (*ready)(void);
  void (*quiescent)(void);
  void (*mark)(const char* text, uint64_t value);

  /* Requests and state, which executions are judged by; atomic sets, units of
   * work and guarded addresses, which are recorded in traces only. */
  void (*request_begin)(uint64_t session, uint64_t request, const void* bytes,
                        size_t size);
  void (*request_end)(uint64_t session, uint64_t request, const void* bytes,
                      size_t size);
  void (*state_add)(const char* component, const void* bytes, size_t size);
  void (*state_remove)(const char* component, const void* bytes, size_t size);
  void (*state_append)(const char* component, const void* bytes, size_t size);
  void (*state_clear)(const char* component);
  void (*set_add)(const char* set, const volatile void* address, size_t size);
  void (*unit_begin)(const char* name);
  void (*unit_end)(const char* name);
  void (*guard_address)(const volatile void* address, size_t size);

  /* For explore.hpp: whether to run the closure once more; it failed. */
  int (*explore_next)(struct fairlead_exploration* exploration);
  void (*explore_failed)(struct fairlead_exploration* exploration,
                         const char* why);

  /* Since version 2. Recorded in traces, as those above. */
  uint64_t (*session)(const char* name);
  void (*request_status)(uint64_t session, uint64_t request, int64_t status,
                         const void* bytes, size_t size);
  void (*component)(const char* component, enum fairlead_component_kind kind);
  void (*state_put)(const char* component, const void* key, size_t key_size,
                    const void* bytes, size_t size);
  void (*state_set)(const char* component, const void* bytes, size_t size);
  void (*unit_begin_on)(const char* name, const volatile void* object);
  void (*mark_bytes)(const void* bytes, size_t size, uint64_t value);
  /* A walk is called at fairlead_quiescent(). */
  void (*state_walk)(const char* component, fairlead_walk_function* function,
                     void* object);
  void (*walk_element)(struct fairlead_walk* walk, const void* bytes,
                       size_t size);
  void (*walk_entry)(struct fairlead_walk* walk, const void* key,
                     size_t key_size, const void* bytes, size_t size);
};

#if defined(__ELF__) && defined(__GNUC__) && defined(__x86_64__) && \
    !defined(FAIRLEAD_DISABLE)
#define FAIRLEAD_DETAIL_PRESENT 1

/* Volatile, since no optimizer sees the runtime write it; weak, so that all
 * translation units share one; hidden, so that each loaded object has its own.
 */
__attribute__((weak, used, visibility("hidden")))
const struct fairlead_table* volatile __fl_annotations;

/* { namesz 9, descsz 8, type 2 } "Fairlead" { version, distance to pointer }.
 * The condition keeps it single where link-time optimisation puts the assembly
 * of several translation units into one. */
__asm__(
    ".pushsection .note.fairlead,\"aGR\",@note,__fl_annotation_note,comdat\n"
    ".ifndef __fl_annotation_note\n"
    ".balign 4\n"
    ".weak __fl_annotation_note\n"
    ".hidden __fl_annotation_note\n"
    "__fl_annotation_note:\n"
    ".long 9, 8, 2\n"
    ".asciz \"Fairlead\"\n"
    ".balign 4\n"
    ".long 2\n" /* FAIRLEAD_API_VERSION */
    ".long __fl_annotations - .\n"
    ".endif\n"
    ".popsection\n");

#else
#define FAIRLEAD_DETAIL_PRESENT 0
#endif

#ifdef __cplusplus
}
#endif

#endif /* FAIRLEAD_DETAIL_TABLE_H_ */
