; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; Functions that ask for it, naked functions and our own are not instrumented.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

; CHECK-LABEL: define i32 @asked()
; CHECK-NEXT: load i32, ptr @value
; CHECK-NEXT: ret
define i32 @asked() disable_sanitizer_instrumentation {
  %v = load i32, ptr @value
  ret i32 %v
}

; CHECK-LABEL: define i32 @__fl_own()
; CHECK-NEXT: load i32, ptr @value
; CHECK-NEXT: ret
define i32 @__fl_own() {
  %v = load i32, ptr @value
  ret i32 %v
}

; CHECK-LABEL: define void @bare()
; CHECK-NEXT: call void asm
; CHECK-NEXT: unreachable
define void @bare() naked {
  call void asm sideeffect "ret", "~{memory}"()
  unreachable
}
