; RUN: %pass -fairlead-idle-copies=false -fairlead-accesses=false %s | %check
;
; Frames that vanish without an exit: a landing pad and a second return of
; setjmp call Hooks::unwound with the state that this frame saved.

target triple = "x86_64-pc-linux-gnu"

declare void @throws()
declare i32 @_setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define void @cleans_up()
; CHECK: invoke void @throws()
; CHECK: store i64 %fl.state, ptr %fl.slot
; CHECK: ret void
; CHECK: landingpad { ptr, i32 }
; CHECK: call void @__fl_unwound(i64 {{[0-9]+}}, ptr %fl.slot, i64 %fl.state)
;
; Leaving by `resume` is an exit.
; CHECK: call void @__fl_exit(
; CHECK: resume
define void @cleans_up() personality ptr @__gxx_personality_v0 {
  invoke void @throws() to label %fine unwind label %pad
fine:
  ret void
pad:
  %caught = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %caught
}

; CHECK-LABEL: define i32 @jumps(
; CHECK: %r = call i32 @_setjmp(ptr %place)
; CHECK: call void @__fl_unwound(
; CHECK: ret i32 %r
define i32 @jumps(ptr %place) returns_twice {
  %r = call i32 @_setjmp(ptr %place) returns_twice
  ret i32 %r
}
