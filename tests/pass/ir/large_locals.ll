; RUN: %pass %s | %check
;
; Two bodies of one function must not both have their locals on the stack. A
; switch without locals leaves for either of them, where these are large, or are
; aligned so that a frame may stay during a call at the end of its function.

target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @use(ptr)

; CHECK-LABEL: define void @large(
; CHECK-NOT: alloca
; CHECK: call void @large.idle(
; CHECK: musttail call void @large.active(
define void @large() {
  %local = alloca [5000 x i8]
  call void @use(ptr %local)
  ret void
}

; CHECK-LABEL: define void @aligned(
; CHECK-NOT: alloca
; CHECK: musttail call void @aligned.active(
define void @aligned() {
  %local = alloca [600 x i8], align 64
  call void @use(ptr %local)
  ret void
}

; CHECK-LABEL: define void @small(
; CHECK: alloca
; CHECK-DAG: tail call void @small.active(
; CHECK-DAG: call void @use(
define void @small() {
  %local = alloca [600 x i8]
  call void @use(ptr %local)
  ret void
}

; A parameter that is a copy in the caller's frame must stay there.
;
; CHECK-LABEL: define void @copies(
; CHECK-NOT: copies.active
; CHECK: ret void
define void @copies(ptr byval([600 x i8]) %copy) {
  call void @use(ptr %copy)
  ret void
}
; CHECK-NOT: copies.active
