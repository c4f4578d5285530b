// runtime/sys/look.S
//
// See look.h. In assembly, so that a fault is known by its address, and nothing
// but the return address is on the stack then: who has faulted goes on at
// __fl_look_failed.

// Two prefixes that do nothing, and which no compiler writes: by them gdb knows
// such a fault for ours (cli/fairlead.gdb).
#define LOOK .byte 0x3e, 0x3e

  .section fl_look, "ax", @progbits

// rdi (address), esi (size). The value in rax, whether it was seen in rdx.
  .globl __fl_look
  .hidden __fl_look
  .type __fl_look, @function
  .p2align 4
__fl_look:
  .cfi_startproc
  movl $1, %edx
  cmpl $4, %esi
  je 4f
  cmpl $8, %esi
  je 8f
  cmpl $2, %esi
  je 2f
  LOOK; movzbl (%rdi), %eax
  retq
2:
  LOOK; movzwl (%rdi), %eax
  retq
4:
  LOOK; movl (%rdi), %eax
  retq
8:
  LOOK; movq (%rdi), %rax
  retq
  .cfi_endproc
  .size __fl_look, .-__fl_look

  .text
  .globl __fl_look_failed
  .hidden __fl_look_failed
  .type __fl_look_failed, @function
__fl_look_failed:
  .cfi_startproc
  xorl %eax, %eax
  xorl %edx, %edx
  retq
  .cfi_endproc
  .size __fl_look_failed, .-__fl_look_failed

  .section .note.GNU-stack, "", @progbits
