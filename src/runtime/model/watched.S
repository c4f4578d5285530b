# runtime/model/watched.S
#
# void __fl_call_watched(void (*function)());
#
# Calls `function`, code of the program. When an exception, pthread_exit or a
# cancellation leaves it, the unwinder asks this frame's personality routine,
# __fl_watched_personality, which is ours: no table, landing pad or symbol of
# the C++ library is needed to learn of it.

        .text
        .globl  __fl_call_watched
        .hidden __fl_call_watched
        .hidden __fl_watched_personality
        .type   __fl_call_watched, @function
__fl_call_watched:
        .cfi_startproc
        .cfi_personality 0x1b, __fl_watched_personality
        endbr64
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        callq   *%rdi
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        retq
        .cfi_endproc
        .size   __fl_call_watched, . - __fl_call_watched

        .section .note.GNU-stack, "", @progbits
