; RUN: %pass -fairlead-idle-copies=false -fairlead-accesses=false %s | %check
;
; Where a thread leaves the code that was compiled with us (protocol:
; abi/hooks.h). The field of a slot at 24 says whom it has called, and by its
; highest bit that it has been away.

target triple = "x86_64-pc-linux-gnu"

declare void @outside()
declare i32 @getpid()

; A call of unknown code says whom it calls; behind it, whoever has not answered
; was not compiled with us. The C library is known.
;
; CHECK-LABEL: define void @leaves(
; CHECK: %fl.slot = call ptr @__fl_enter({{.*}}, ptr %fl.own, ptr null, ptr @leaves)
; CHECK: %[[TARGET:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 24
; CHECK: %[[AWAY:.*]] = and i64 %{{.*}}, -9223372036854775808
; CHECK: %[[BOTH:.*]] = or i64 ptrtoint (ptr @outside to i64), %[[AWAY]]
; CHECK: store i64 %[[BOTH]], ptr %[[TARGET]]
; CHECK: call void @outside()
; CHECK: %[[BEEN:.*]] = icmp ne i64 %{{.*}}, 0
; CHECK: select i1 %[[BEEN]], i64 -9223372036854775808, i64 0
; CHECK-NOT: @getpid to i64
; CHECK: call i32 @getpid()
; CHECK-NOT: icmp ne i64
;
; Whoever it was called by is out there again.
; CHECK: %[[FROM:.*]] = getelementptr inbounds i8, ptr %fl.own, i64 24
; CHECK: load i64, ptr %[[FROM]]
; CHECK: ret void
define void @leaves() {
  call void @outside()
  %pid = call i32 @getpid()
  ret void
}

; A pointer may lead anywhere.
;
; CHECK-LABEL: define void @through(
; CHECK: ptrtoint ptr %callee to i64
; CHECK: call void %callee()
define void @through(ptr %callee) {
  call void %callee()
  ret void
}

; Nobody but this module calls it, by its name.
;
; CHECK-LABEL: define internal void @own(
; CHECK: call ptr @__fl_enter({{.*}}, ptr null)
; CHECK-NOT: i64 24
; CHECK: ret void
define internal void @own() {
  ret void
}

; CHECK-LABEL: define void @calls_own(
; CHECK-NOT: @own to i64
; CHECK: call void @own()
define void @calls_own() {
  call void @own()
  ret void
}
