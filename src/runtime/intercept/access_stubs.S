// runtime/intercept/access_stubs.S
//
// The hooks that make plain loads and stores (abi/hooks.h), and the hook behind
// other accesses. In assembly for two reasons: a traced access costs a dozen
// instructions here and no saved register; and at the moment of the access
// nothing but the return address is on the stack, so that a fault can be told
// as one of the call (access.h).
//
//   load4    if (mode & before|count) AheadOfAccess(address, site)
//            value = *address
//            if (mode & after) told(address, site, value)
//
// Offsets are those of abi/site.h and abi/hooks.h; access.cc asserts them.

#define SITE_BEHIND 54
#define SITE_MODE 55
#define SITE_NUMBER 56
#define SITE_TOLD 60
#define SITE_SIZE_TOLD 63
#define SLOT_NODE 0
#define SLOT_INSTRUCTIONS 8
#define SLOT_CALL 16
#define SLOT_TARGET 24
#define SLOT_TOLD 32
#define SLOT_TOLD_END 40
#define SLOT_TOLD_AT 48
#define SLOT_THREAD 56
#define MODE_AHEAD 5
#define MODE_AFTER 2
#define EVENT_BYTES 32

  .section fl_access, "ax", @progbits

// Arguments are in rdi (address), rsi (site), rdx (value to be stored). Leaves
// the value in rax: `value` moves it there, unless the access has done so.
.macro MAKE name, access, value
  .globl \name
  .hidden \name
  .type \name, @function
  .p2align 4
\name:
  .cfi_startproc
  testb $MODE_AHEAD, SITE_MODE(%rsi)
  jne 2f
1:
  \access
  \value
  testb $MODE_AFTER, SITE_MODE(%rsi)
  jne __fl_told
  retq
2:
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  pushq %rdx
  .cfi_adjust_cfa_offset 8
  callq __fl_ahead_of_access
  popq %rdx
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  jmp 1b
  .cfi_endproc
  .size \name, .-\name
.endm

MAKE __fl_make_load1, "movzbl (%rdi), %eax"
MAKE __fl_make_load2, "movzwl (%rdi), %eax"
MAKE __fl_make_load4, "movl (%rdi), %eax"
MAKE __fl_make_load8, "movq (%rdi), %rax"
MAKE __fl_make_load_float, "movss (%rdi), %xmm0", "movd %xmm0, %eax"
MAKE __fl_make_load_double, "movsd (%rdi), %xmm0", "movq %xmm0, %rax"
MAKE __fl_make_store1, "movb %dl, (%rdi)", "movzbl %dl, %eax"
MAKE __fl_make_store2, "movw %dx, (%rdi)", "movzwl %dx, %eax"
MAKE __fl_make_store4, "movl %edx, (%rdi)", "movl %edx, %eax"
MAKE __fl_make_store8, "movq %rdx, (%rdi)", "movq %rdx, %rax"

// The bits of a real number are stored as those of an integer.
.macro STORE_REAL name, move, to, store
  .globl \name
  .hidden \name
  .type \name, @function
  .p2align 4
\name:
  .cfi_startproc
  \move %xmm0, \to
  jmp \store
  .cfi_endproc
  .size \name, .-\name
.endm

STORE_REAL __fl_make_store_float, movd, %edx, __fl_make_store4
STORE_REAL __fl_make_store_double, movq, %rdx, __fl_make_store8

// Hooks::after: rdi (address), rsi (site), rdx (value).
  .globl __fl_after_access
  .hidden __fl_after_access
  .type __fl_after_access, @function
  .p2align 4
__fl_after_access:
  .cfi_startproc
  movq %rdx, %rax
  cmpb $255, SITE_SIZE_TOLD(%rsi)
  je __fl_told_slowly
  jmp __fl_told
  .cfi_endproc
  .size __fl_after_access, .-__fl_after_access

// Writes the plain event of an access: rdi (address), rsi (site), rax (value,
// which is kept, in xmm0 too where it is there).
  .type __fl_told, @function
  .p2align 4
__fl_told:
  .cfi_startproc
  movq _ZN8fairlead2rt8tls_selfE@gottpoff(%rip), %rcx
  movq %fs:(%rcx), %rcx
  testq %rcx, %rcx
  je 1f
  movq SLOT_TOLD(%rcx), %rdx
  movl SLOT_THREAD(%rcx), %r8d
  cmpq SLOT_TOLD_END(%rcx), %rdx
  je __fl_told_slowly
  testl $0xff0000, %r8d
  jne __fl_told_slowly
  movq SLOT_CALL(%rcx), %r9
  orq SLOT_TARGET(%rcx), %r9
  jne __fl_told_slowly
  movq SLOT_INSTRUCTIONS(%rcx), %r9
  movzbl SITE_BEHIND(%rsi), %r10d
  subq %r10, %r9
  movq %r9, %r10
  subq SLOT_TOLD_AT(%rcx), %r10
  cmpq $65535, %r10
  jae __fl_told_slowly
  movl SITE_TOLD(%rsi), %r11d
  shlq $16, %r11
  orq %r8, %r11
  shlq $48, %r10
  orq %r10, %r11
  movq %r11, (%rdx)
  movl SLOT_NODE(%rcx), %r10d
  shlq $32, %r10
  movl SITE_NUMBER(%rsi), %r11d
  orq %r10, %r11
  movq %r11, 8(%rdx)
  movq %rdi, 16(%rdx)
  movq %rax, 24(%rdx)
  movq %r9, SLOT_TOLD_AT(%rcx)
  addq $EVENT_BYTES, %rdx
  movq %rdx, SLOT_TOLD(%rcx)
  // All of the word, not `at_point` alone: what is read next must come from one
  // store.
  movzwl %r8w, %r8d
  movl %r8d, SLOT_THREAD(%rcx)
1:
  retq
  .cfi_endproc
  .size __fl_told, .-__fl_told

  .type __fl_told_slowly, @function
__fl_told_slowly:
  .cfi_startproc
  pushq %rax
  .cfi_adjust_cfa_offset 8
  movq %rax, %rdx
  callq __fl_tell_access
  popq %rax
  .cfi_adjust_cfa_offset -8
  movq %rax, %xmm0
  retq
  .cfi_endproc
  .size __fl_told_slowly, .-__fl_told_slowly

  .section .note.GNU-stack, "", @progbits
