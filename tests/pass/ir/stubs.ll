; RUN: %pass -fairlead-idle-copies=false %s | %check
;
; Stubs are naked: between a site and its access there is nothing but a test of
; the site's mode. They jump to the hook of their name, the third of the table
; for loads of four bytes.

target triple = "x86_64-pc-linux-gnu"

@counter = global i32 0

define i32 @load_int() {
  %v = load i32, ptr @counter
  ret i32 %v
}

; A unit goes there by steps of its own, which make addresses of distances.
;
; CHECK: define i32 @load_int()
; CHECK: call i32 @__fl_load4(ptr @counter, i64 64)
; CHECK: define internal ptr @__fl_enter(i64 %0, ptr %1, ptr %2, ptr %3) [[STUB:#[0-9]+]] {
; CHECK-NEXT: call void asm sideeffect "leaq ${1:c}(%rip), %rax\0A\09addq %rax, %rdi\0A\09testb $$3, 44(%rdi)\0A\09je ${2:c}\0A\09jmpq *${0:c}(%rip)", "i,i,i"(ptr getelementptr inbounds (i8, ptr @__fl_hooks.5, i64 136), ptr getelementptr inbounds (i8, ptr @__fl_unit, i64 48), ptr @__fl_enter.5)
; CHECK-NEXT: unreachable
; CHECK: define linkonce_odr hidden ptr @__fl_enter.5(ptr %0, ptr %1, ptr %2, ptr %3) [[STUB]] section "fl_stubs" comdat
; CHECK-NEXT: call void asm sideeffect "testb $$3, 44(%rdi)\0A\09jne 1f\0A\09movq %rsi, %rax\0A\09retq\0A1:\0A\09jmpq *${0:c}(%rip)", "i"(ptr getelementptr inbounds (i8, ptr @__fl_hooks.5, i64 136))
; CHECK-NEXT: unreachable
; CHECK: define internal i32 @__fl_load4(ptr %0, i64 %1) [[STUB]] {
; CHECK-NEXT: call void asm sideeffect "leaq ${1:c}(%rip), %rax\0A\09addq %rax, %rsi\0A\09testb $$255, 55(%rsi)\0A\09je ${2:c}\0A\09jmpq *${0:c}(%rip)", "i,i,i"(ptr getelementptr inbounds (i8, ptr @__fl_hooks.5, i64 16), ptr @__fl_sites, ptr @__fl_load4.5)
; CHECK-NEXT: unreachable
; CHECK: define linkonce_odr hidden i32 @__fl_load4.5(ptr %0, ptr %1) [[STUB]] section "fl_stubs" comdat
; CHECK-NEXT: call void asm sideeffect "testb $$255, 55(%rsi)\0A\09jne 1f\0A\09movl (%rdi), %eax\0A\09retq\0A1:\0A\09jmpq *${0:c}(%rip)", "i"(ptr getelementptr inbounds (i8, ptr @__fl_hooks.5, i64 16))
; CHECK: attributes [[STUB]] = { naked noinline nounwind uwtable }
