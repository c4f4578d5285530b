; RUN: %pass %s | %check
;
; A call of a leaf from an active body asks for the leaf's mode: without one the
; leaf's original body runs, in place when it is tiny, and no calling context is
; kept; else the call has its context, and goes to the active body at once. A call
; of anything else always has it. What is always inlined is not, into an active
; body: that calls the active body.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

define i32 @leaf(i32 %n) {
  %v = load i32, ptr @value
  %s = add i32 %v, %n
  ret i32 %s
}

declare i32 @elsewhere(i32)

define i32 @caller(i32 %n) {
  %v = call i32 @leaf(i32 %n)
  ret i32 %v
}

define i32 @other(i32 %n) {
  %v = call i32 @elsewhere(i32 %n)
  ret i32 %v
}

define internal i32 @always(i32 %n) alwaysinline {
  %v = call i32 @elsewhere(i32 %n)
  ret i32 %v
}

define i32 @calls_always(i32 %n) {
  %v = call i32 @always(i32 %n)
  ret i32 %v
}

; CHECK-LABEL: define internal i32 @caller.active(
; CHECK: %fl.functions = freeze ptr getelementptr inbounds (i8, ptr @__fl_unit, i64 {{[0-9]+}})
; CHECK: getelementptr inbounds i8, ptr %fl.functions, i64 {{[0-9]+}}
; CHECK: %[[MODE:.*]] = load i8, ptr %{{.*}}
; CHECK-NEXT: %[[QUIET:.*]] = icmp eq i8 %[[MODE]], 0
; CHECK: br i1 %[[QUIET]], label %[[ALONE:[0-9]+]], label %[[TOLD:[0-9]+]], !prof
; CHECK: [[ALONE]]:
; CHECK-NOT: store ptr %fl.sites
; CHECK: load i32, ptr @value
; CHECK-NEXT: add i32
; CHECK: [[TOLD]]:
; CHECK: store ptr %fl.sites
; CHECK: call i32 @leaf.active(
; CHECK: phi i32

; CHECK-LABEL: define internal i32 @other.active(
; CHECK: store ptr %fl.sites
; CHECK: call i32 @elsewhere(

; CHECK-LABEL: define internal i32 @calls_always.active(
; CHECK: call i32 @always.active(
