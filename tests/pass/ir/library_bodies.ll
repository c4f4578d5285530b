; RUN: %pass %s | %check
;
; The active body of one library function calls that of another. It calls the
; application's by name, and the application calls the library's so, where the
; switch looks whether there is anything to tell.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

define i32 @inner(i32 %n) !dbg !10 {
  %v = call i32 @callback(i32 %n), !dbg !12
  ret i32 %v, !dbg !12
}

define i32 @outer(i32 %n) !dbg !11 {
  %v = call i32 @inner(i32 %n), !dbg !13
  ret i32 %v, !dbg !13
}

define i32 @callback(i32 %n) !dbg !14 {
  %v = call i32 @outer(i32 %n), !dbg !15
  ret i32 %v, !dbg !15
}

; Steps are where they are called.
;
; CHECK-LABEL: define internal i32 @__fl_body(i32 %n)
; CHECK-SAME: section ".text.unlikely.fl_bodies"
; CHECK: call i32 @callback(i32 %n)
; CHECK-LABEL: define internal i32 @__fl_body.1(i32 %n)
; CHECK-SAME: section ".text.unlikely.fl_bodies"
; CHECK: call i32 @__fl_body(i32 %n)
; CHECK-LABEL: define internal i32 @callback.active(
; CHECK: call i32 @outer(i32 %n)
; CHECK: define internal ptr @__fl_enter.{{[0-9]+}}(i64 {{.*}} section ".text.unlikely.fl_bodies" {

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/project")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "/usr/include/a.h", directory: "/project")
!4 = !DISubroutineType(types: !5)
!5 = !{}
!10 = distinct !DISubprogram(name: "inner", scope: !3, file: !3, line: 3, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "outer", scope: !3, file: !3, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 4, column: 3, scope: !10)
!13 = !DILocation(line: 6, column: 3, scope: !11)
!14 = distinct !DISubprogram(name: "callback", scope: !1, file: !1, line: 8, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 9, column: 3, scope: !14)
