// runtime/sys/entry.S
//
// See dispatch.h. All system calls here lie in the range that the kernel lets
// through.

  .text

// Byte for byte as libc's, with its name, and without unwind information: that
// is how unwinders and gdb recognise the frame of a signal.
  .globl __restore_rt
  .hidden __restore_rt
  .type __restore_rt, @function
  .balign 16
  nop
__restore_rt:
  movq $15, %rax
  syscall
  ud2
  .size __restore_rt, . - __restore_rt

  .globl __fl_return_from
  .hidden __fl_return_from
  .type __fl_return_from, @function
__fl_return_from:
  movq %rdi, %rsp
  movq $15, %rax
  syscall
  ud2
  .size __fl_return_from, . - __fl_return_from

  .globl __fl_clone
  .hidden __fl_clone
  .type __fl_clone, @function
__fl_clone:
  .cfi_startproc
  endbr64
  movq (%rdi), %rax
  movq 16(%rdi), %rsi
  movq 24(%rdi), %rdx
  movq 32(%rdi), %r10
  movq 40(%rdi), %r8
  movq 48(%rdi), %r9
  movq 8(%rdi), %rdi
  syscall
  testq %rax, %rax
  jz 1f
  ret
1:
  // The child, on its own stack.
  .cfi_undefined %rip
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbp
  popq %rbx
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  ret
  .cfi_endproc
  .size __fl_clone, . - __fl_clone

  .section .note.GNU-stack, "", @progbits
