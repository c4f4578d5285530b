; RUN: %pass -fairlead-idle-copies=false -fairlead-accesses=false %s | %check
;
; Nothing may stand between a musttail call and its return: the exit is told
; ahead of the call, and nothing is restored behind it.

target triple = "x86_64-pc-linux-gnu"

declare i32 @other(i32)

; CHECK-LABEL: define i32 @forwards(
; CHECK: call void @__fl_exit(
; CHECK: %r = musttail call i32 @other(i32 %n)
; CHECK-NEXT: ret i32 %r
define i32 @forwards(i32 %n) {
  %r = musttail call i32 @other(i32 %n)
  ret i32 %r
}
