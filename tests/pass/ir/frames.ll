; RUN: %pass -fairlead-idle-copies=false -fairlead-accesses=false %s | %check
;
; The calling context (protocol: abi/hooks.h). Entry asks for a slot and saves
; its state; a call leaves itself in the slot and restores the state behind it;
; instructions are added to the slot ahead of the stretch that runs them. There
; is no branch in it.

target triple = "x86_64-pc-linux-gnu"

declare void @outside()

; CHECK-LABEL: define i32 @calls(
; CHECK: %fl.own = alloca [4 x i64]
; CHECK: %fl.slot = call ptr @__fl_enter(i64 [[FN:[0-9]+]], ptr %fl.own, ptr null, ptr {{.*}})
; CHECK: %fl.state = load i64, ptr %fl.slot
; CHECK: %[[TOTAL:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 8
; CHECK: %[[WAS:.*]] = load i64, ptr %[[TOTAL]]
; CHECK: %[[IS:.*]] = add i64 %[[WAS]], 1
; CHECK: store i64 %[[IS]], ptr %[[TOTAL]]
;
; CHECK: %[[CALL:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 16
; CHECK: store ptr %fl.sites, ptr %[[CALL]]
; CHECK: call void @outside()
; CHECK-NEXT: store i64 %fl.state, ptr %fl.slot
; CHECK-NEXT: %[[OVER:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 16
; CHECK-NEXT: store ptr null, ptr %[[OVER]]
;
; The return is a stretch of its own.
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @__fl_exit(i64 [[FN]], ptr %fl.slot)
; CHECK-NEXT: ret i32
define i32 @calls(i32 %n) {
  call void @outside()
  ret i32 %n
}

; Each block adds its own instructions.
;
; CHECK-LABEL: define i32 @counts(
; CHECK: add i64 %{{.*}}, 2
; CHECK: more:
; CHECK: %[[SUM:.*]] = load i64, ptr %
; CHECK: add i64 %[[SUM]], 3
define i32 @counts(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %less, label %more
more:
  %a = mul i32 %n, 3
  %b = add i32 %a, 1
  ret i32 %b
less:
  ret i32 0
}

; Pointer parameters are handed over, where debug information tells them apart;
; here there is none.
;
; CHECK-LABEL: define void @takes(
; CHECK: call ptr @__fl_enter(i64 {{[0-9]+}}, ptr %fl.own, ptr null, ptr {{.*}})
define void @takes(ptr %p) {
  ret void
}
