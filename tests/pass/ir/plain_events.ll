; RUN: %pass -fairlead-idle-copies=false %s | %check
;
; Behind a load or store the program writes the event itself, if it has a slot,
; the slot has room, no call is open, the thread is not in the runtime, and the
; instructions fit; else it calls Hooks::after.

target triple = "x86_64-pc-linux-gnu"

@counter = global i32 0

; CHECK-LABEL: define i32 @load_int()
; CHECK: %[[SEEN:.*]] = load i32, ptr @counter
; CHECK: %[[WIDE:.*]] = zext i32 %[[SEEN]] to i64
; CHECK: icmp ne ptr %fl.slot, null
; CHECK: %[[TOLD_AT:.*]] = getelementptr inbounds i8, ptr %fl.slot, i64 24
; CHECK: %[[ROOM:.*]] = load i64, ptr %[[TOLD_AT]]
; CHECK: %[[MORE:.*]] = add i64 %[[SINCE:.*]], 1
; CHECK: or i64 %[[SINCE]], %[[MORE]]
; CHECK: lshr i64 %{{.*}}, 16
; CHECK: icmp ne i64 %[[ROOM]], %
;
; Flags (instrumented), kind (read) and size (4), as in abi::Event.
; CHECK: or i64 %{{.*}}, 4402609913856
; CHECK: shl i64 %{{.*}}, 48
; CHECK: load i32, ptr @__fl_numbers.
; CHECK: %[[RECORD:.*]] = inttoptr i64 %[[ROOM]] to ptr
; CHECK: store i64 %[[WIDE]], ptr %
; CHECK: add i64 %[[ROOM]], 32
;
; CHECK: load ptr, ptr getelementptr inbounds (i8, ptr @__fl_hooks, i64 16)
; CHECK: call preserve_mostcc void %{{.*}}(ptr @__fl_sites.{{.*}}, ptr @counter, i64 %[[WIDE]], i64
define i32 @load_int() {
  %v = load i32, ptr @counter
  ret i32 %v
}
