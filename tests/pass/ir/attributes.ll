; RUN: %pass %s | %check
;
; Promises that hooks would break are taken away, from functions and from calls
; of them; the C library and intrinsics keep theirs.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

; CHECK: define i32 @looks_pure() [[PLAIN:#[0-9]+]] {
define i32 @looks_pure() nosync nofree nounwind memory(read) {
  %v = load i32, ptr @value
  ret i32 %v
}

; CHECK: declare i32 @declared(i32) [[PLAIN]]
declare i32 @declared(i32) memory(none) nounwind
; CHECK: declare double @sin(double) [[LIBRARY:#[0-9]+]]
declare double @sin(double) memory(none)

define i32 @caller(double %x) {
  %a = call i32 @looks_pure() memory(read)
  %b = call i32 @declared(i32 %a) memory(none)
  %c = call double @sin(double %x) memory(none)
  ret i32 %b
}

; CHECK-DAG: attributes [[PLAIN]] = { nounwind }
; CHECK-DAG: attributes [[LIBRARY]] = { memory(none) }
; CHECK-NOT: memory(read)
