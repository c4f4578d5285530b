// runtime/carrier/context.S
//
// See context.h.

  .text

  .globl __fl_call_on_stack
  .hidden __fl_call_on_stack
  .type __fl_call_on_stack, @function
__fl_call_on_stack:
  .cfi_startproc
  endbr64
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  movq %rsp, %rbx
  .cfi_def_cfa_register %rbx
  movq %rdx, %rsp
  call *%rsi
  movq %rbx, %rsp
  .cfi_def_cfa_register %rsp
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  ret
  .cfi_endproc
  .size __fl_call_on_stack, . - __fl_call_on_stack

  .globl __fl_switch
  .hidden __fl_switch
  .type __fl_switch, @function
__fl_switch:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %ecx
  movzwl 4(%rsp), %r8d
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  wrfsbase %rdx
  // Loading the control words costs more than comparing them, and threads
  // that differ in them are rare.
  movl (%rsp), %eax
  cmpl %eax, %ecx
  jne 1f
  movzwl 4(%rsp), %eax
  cmpl %eax, %r8d
  jne 1f
2:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
  ret
1:
  .cfi_adjust_cfa_offset 56
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 2b
  .cfi_endproc
  .size __fl_switch, . - __fl_switch

  .globl __fl_registers
  .hidden __fl_registers
  .type __fl_registers, @function
__fl_registers:
  .cfi_startproc
  endbr64
  movq %rbx, 24(%rdi)
  movq %rbp, 48(%rdi)
  leaq 8(%rsp), %rax
  movq %rax, 56(%rdi)
  movq %r12, 96(%rdi)
  movq %r13, 104(%rdi)
  movq %r14, 112(%rdi)
  movq %r15, 120(%rdi)
  movq (%rsp), %rax
  movq %rax, 128(%rdi)
  ret
  .cfi_endproc
  .size __fl_registers, . - __fl_registers

// The outermost frame of a fiber: unwinding ends here.
  .globl __fl_fiber_entry
  .hidden __fl_fiber_entry
  .type __fl_fiber_entry, @function
__fl_fiber_entry:
  .cfi_startproc
  .cfi_undefined %rip
  movq %r12, %rdi
  call *%r13
  ud2
  .cfi_endproc
  .size __fl_fiber_entry, . - __fl_fiber_entry

  .section .note.GNU-stack, "", @progbits
