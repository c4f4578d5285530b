; RUN: %pass %s | %check
;
; A function becomes a switch between its instrumented body and its original
; one. The idle body of a caller calls the idle body of a leaf directly; its
; switch asks for the leaf's mode too. A function that is not to be optimised
; has one body.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

; CHECK-LABEL: define i32 @leaf(
; CHECK: %[[MODE:.*]] = load i8, ptr @__fl_modes.[[LEAF:.*]], align 1
; CHECK: %[[BUSY:.*]] = icmp ne i8 %[[MODE]], 0
; CHECK: br i1 %[[BUSY]], label %active, label %idle
; CHECK: active:
; CHECK: %[[A:.*]] = tail call i32 @leaf.active(i32 %0)
; CHECK: ret i32 %[[A]]
; CHECK: idle:
; CHECK: %[[I:.*]] = tail call i32 @leaf.idle(i32 %0)
; CHECK: ret i32 %[[I]]
define i32 @leaf(i32 %n) {
  %v = load i32, ptr @value
  %s = add i32 %v, %n
  ret i32 %s
}

; CHECK-LABEL: define i32 @caller(
; CHECK-DAG: load i8, ptr @__fl_modes.[[LEAF]], align 1
; CHECK-DAG: load i8, ptr @__fl_modes.{{.*}}, align 1
; CHECK: or i8
define i32 @caller(i32 %n) {
  %v = call i32 @leaf(i32 %n)
  ret i32 %v
}

; CHECK-LABEL: define i32 @unoptimised(
; CHECK-NOT: .idle
; CHECK: ret i32 %v
define i32 @unoptimised() noinline optnone {
  %v = load i32, ptr @value
  ret i32 %v
}

; CHECK: define internal i32 @leaf.idle(i32 %n)
; CHECK-NEXT: %v = load i32, ptr @value
; CHECK-NEXT: %s = add i32 %v, %n
; CHECK-NEXT: ret i32 %s
; CHECK: define internal i32 @caller.idle(i32 %n)
; CHECK-NEXT: call i32 @leaf.idle(i32 %n)
