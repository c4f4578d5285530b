; RUN: %pass %s | %check
;
; Inline functions of libraries have frames only where threads wait, or code of
; others may be called or come in. Those in which nothing is told stay as they
; are, and are written in place where an active body calls them.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0
@table = constant ptr @taken

declare i32 @pthread_mutex_lock(ptr)
declare void @outside()

; CHECK-LABEL: define linkonce_odr ptr @forward(
; CHECK-NOT: __fl
; CHECK: ret ptr
define linkonce_odr ptr @forward(ptr %p) comdat !dbg !10 {
  ret ptr %p, !dbg !20
}

; CHECK-LABEL: define linkonce_odr i32 @hands_on(
; CHECK-NEXT: call i32 @reads(
; CHECK-NEXT: ret i32
define linkonce_odr i32 @hands_on(ptr %p) comdat !dbg !11 {
  %v = call i32 @reads(ptr %p), !dbg !21
  ret i32 %v, !dbg !21
}

; What only active bodies would ask for is not kept for them.
; CHECK-LABEL: define linkonce_odr i32 @reads(
define linkonce_odr i32 @reads(ptr %p) comdat !dbg !12 {
  %q = call ptr @forward(ptr %p), !dbg !22
  %v = load i32, ptr %q, !dbg !22
  ret i32 %v, !dbg !22
}

define linkonce_odr i32 @waits(ptr %p) comdat !dbg !13 {
  %v = call i32 @pthread_mutex_lock(ptr %p), !dbg !23
  ret i32 %v, !dbg !23
}

define linkonce_odr i32 @waits_too(ptr %p) comdat !dbg !14 {
  %v = call i32 @waits(ptr %p), !dbg !24
  ret i32 %v, !dbg !24
}

define linkonce_odr void @goes_out() comdat !dbg !15 {
  call void @outside(), !dbg !25
  ret void, !dbg !25
}

define linkonce_odr i32 @taken(ptr %p) comdat !dbg !16 {
  %v = call i32 @reads(ptr %p), !dbg !26
  ret i32 %v, !dbg !26
}

; Its frame says who it is only where somebody has its address.
define linkonce_odr i32 @inline_own(ptr %p) comdat !dbg !17 {
  %v = load i32, ptr %p, !dbg !27
  ret i32 %v, !dbg !27
}

; CHECK: define internal {{.*}} @__fl_body{{.*}} !dbg ![[READS:[0-9]+]]
; CHECK-NOT: @__fl_enter
; CHECK-NOT: @forward
; CHECK: call i32 @__fl_load4{{.*}}(ptr %p,
; CHECK: ret i32
; CHECK: define internal {{.*}} @__fl_body{{.*}} !dbg ![[WAITS:[0-9]+]]
; CHECK: @__fl_enter{{.*}} ptr null, ptr null)
; CHECK: call i32 @pthread_mutex_lock
; CHECK: define internal {{.*}} @__fl_body{{.*}} !dbg ![[TOO:[0-9]+]]
; CHECK: @__fl_enter
; CHECK: call i32 @__fl_body
; CHECK: define internal {{.*}} @__fl_body{{.*}} !dbg ![[OUT:[0-9]+]]
; CHECK: @__fl_enter
; CHECK: call void @outside
; CHECK: define internal {{.*}} @__fl_body{{.*}} !dbg ![[TAKEN:[0-9]+]]
; CHECK: @__fl_enter{{.*}} ptr @taken)
; CHECK: define {{.*}} @inline_own.active.
; CHECK: @__fl_enter{{.*}} ptr null)
; CHECK-DAG: ![[READS]] = distinct !DISubprogram(name: "reads"
; CHECK-DAG: ![[WAITS]] = distinct !DISubprogram(name: "waits"
; CHECK-DAG: ![[TOO]] = distinct !DISubprogram(name: "waits_too"
; CHECK-DAG: ![[OUT]] = distinct !DISubprogram(name: "goes_out"
; CHECK-DAG: ![[TAKEN]] = distinct !DISubprogram(name: "taken"

$forward = comdat any
$hands_on = comdat any
$reads = comdat any
$waits = comdat any
$waits_too = comdat any
$goes_out = comdat any
$taken = comdat any
$inline_own = comdat any

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/project")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "/usr/include/a.h", directory: "/project")
!4 = !DISubroutineType(types: !5)
!5 = !{}
!10 = distinct !DISubprogram(name: "forward", scope: !3, file: !3, line: 3, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "hands_on", scope: !3, file: !3, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "reads", scope: !3, file: !3, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!13 = distinct !DISubprogram(name: "waits", scope: !3, file: !3, line: 9, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!14 = distinct !DISubprogram(name: "waits_too", scope: !3, file: !3, line: 11, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!15 = distinct !DISubprogram(name: "goes_out", scope: !3, file: !3, line: 13, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!16 = distinct !DISubprogram(name: "taken", scope: !3, file: !3, line: 15, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!17 = distinct !DISubprogram(name: "inline_own", scope: !1, file: !1, line: 17, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 4, column: 3, scope: !10)
!21 = !DILocation(line: 6, column: 3, scope: !11)
!22 = !DILocation(line: 8, column: 3, scope: !12)
!23 = !DILocation(line: 10, column: 3, scope: !13)
!24 = !DILocation(line: 12, column: 3, scope: !14)
!25 = !DILocation(line: 14, column: 3, scope: !15)
!26 = !DILocation(line: 16, column: 3, scope: !16)
!27 = !DILocation(line: 18, column: 3, scope: !17)
