; RUN: %pass -fairlead-idle-copies=false -fairlead-accesses=false %s | %check
;
; The calling context (protocol: abi/hooks.h). Entry asks for the thread's slot
; and saves its state; a call leaves itself in the slot and restores the state behind it;
; an exit adds the frame's instructions to the slot.

target triple = "x86_64-pc-linux-gnu"

declare void @outside()

; CHECK-LABEL: define i32 @calls(
; CHECK: %fl.count = alloca i64
;
; Entry.
; CHECK: %[[MODE:.*]] = load i8, ptr @__fl_modes.[[FN:.*]], align 1
; CHECK: and i8 %[[MODE]], 3
; CHECK: %[[ENTER:.*]] = load ptr, ptr getelementptr inbounds (i8, ptr @__fl_hooks, i64 40)
; CHECK: %[[OWN:.*]] = call preserve_mostcc ptr %[[ENTER]](ptr @__fl_fn.[[FN]], ptr null)
; CHECK: %[[READ:.*]] = load i64, ptr %[[OWN]]
; CHECK: %fl.slot = phi ptr {{.*}}null
; CHECK: %fl.state = phi i64
;
; Call, with a fresh count behind it.
; CHECK: icmp ne ptr %fl.slot, null
; CHECK: %[[CALL:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 16
; CHECK: store ptr @__fl_sites.[[FN]], ptr %[[CALL]]
; CHECK: %[[TOTAL:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 8
; CHECK: store i64 {{.*}}, ptr %[[TOTAL]]
; CHECK: store i64 {{.*}}, ptr %fl.count
; CHECK: call void @outside()
; CHECK: icmp ne ptr %fl.slot, null
; CHECK: store i64 %fl.state, ptr %fl.slot
; CHECK: %[[OVER:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 16
; CHECK: store ptr null, ptr %[[OVER]]
;
; Exit.
; CHECK: getelementptr inbounds i8, ptr %fl.slot, i64 8
; CHECK: and i8 %{{.*}}, 2
; CHECK: %[[EXIT:.*]] = load ptr, ptr getelementptr inbounds (i8, ptr @__fl_hooks, i64 48)
; CHECK: call preserve_mostcc void %[[EXIT]](ptr @__fl_fn.[[FN]], ptr %fl.slot)
; CHECK: ret i32
define i32 @calls(i32 %n) {
  call void @outside()
  ret i32 %n
}

; Each block adds its own instructions.
;
; CHECK-LABEL: define i32 @counts(
; CHECK: store i64 2, ptr %fl.count
; CHECK: more:
; CHECK: %[[SUM:.*]] = load i64, ptr %fl.count
; CHECK: %[[MORE:.*]] = add i64 %[[SUM]], 3
; CHECK: store i64 %[[MORE]], ptr %fl.count
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
