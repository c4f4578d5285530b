; RUN: %pass %s | %check
;
; A function begins with a switch: its instrumented body is a function of its
; own, its original one follows. The original body of a leaf that others call
; directly is a function of its own too; their switch asks for the leaf's mode.
; A function that is not to be optimised has one body.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

; CHECK-LABEL: define i32 @leaf(
; CHECK: %[[MODE:.*]] = load i8, ptr getelementptr inbounds (i8, {{.*}}, i64 [[LEAF:[0-9]+]])
; CHECK: %[[BUSY:.*]] = icmp ne i8 %[[MODE]], 0
; CHECK: br i1 %[[BUSY]], label %active, label %idle
; CHECK: idle:
; CHECK: %[[I:.*]] = tail call i32 @leaf.idle(i32 %0)
; CHECK: ret i32 %[[I]]
; CHECK: active:
; CHECK: %[[A:.*]] = tail call i32 @leaf.active(i32 %0)
; CHECK: ret i32 %[[A]]
define i32 @leaf(i32 %n) {
  %v = load i32, ptr @value
  %s = add i32 %v, %n
  ret i32 %s
}

; CHECK-LABEL: define i32 @caller(
; CHECK: %local = alloca i32
; CHECK-DAG: load i8, ptr getelementptr inbounds (i8, {{.*}}, i64 [[LEAF]])
; CHECK-DAG: load i8, ptr getelementptr inbounds (i8, {{.*}}, i64 {{[0-9]+}})
; CHECK: or i8
; CHECK: br i1 %{{.*}}, label %active, label %idle
; CHECK: idle:
; CHECK: %v = call i32 @leaf.idle(i32 %n)
; CHECK: ret i32 %v
; CHECK: active:
; CHECK: tail call i32 @caller.active(i32 %n)
define i32 @caller(i32 %n) {
  %local = alloca i32
  store i32 %n, ptr %local
  %v = call i32 @leaf(i32 %n)
  ret i32 %v
}

; CHECK-LABEL: define i32 @unoptimised(
; CHECK-NOT: .active
; CHECK: ret i32 %v
define i32 @unoptimised() noinline optnone {
  %v = load i32, ptr @value
  ret i32 %v
}

; CHECK: define internal i32 @leaf.idle(i32 %n)
; CHECK-NEXT: %v = load i32, ptr @value
; CHECK-NEXT: %s = add i32 %v, %n
; CHECK-NEXT: ret i32 %s
; CHECK: define internal i32 @leaf.active(i32 %n) [[LEFT:#[0-9]+]]
; CHECK: call i32 @__fl_load4(ptr @value
; CHECK: attributes [[LEFT]] = { cold noinline optnone }
