; RUN: %pass %s | %check
;
; An active body has a name and lines, in debug information of its own. What is
; said about the original one stays with the idle body.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

; CHECK: define i32 @f({{.*}} !dbg [[F:![0-9]+]]
; CHECK: #dbg_value(i32 %{{.*}}, [[VARIABLE:![0-9]+]],
; CHECK: idle:
; CHECK: load i32, ptr @value, align 4, !dbg [[PLACE:![0-9]+]]
; CHECK: define internal i32 @f.active({{.*}} !dbg [[ACTIVE:![0-9]+]]
; CHECK-NOT: #dbg_value
; CHECK: call i32 @__fl_load4({{.*}}, !dbg [[LINE:![0-9]+]]
; CHECK: }
; CHECK-DAG: [[VARIABLE]] = !DILocalVariable(name: "n", {{.*}}scope: [[F]]
; CHECK-DAG: [[F]] = distinct !DISubprogram(name: "f", {{.*}}flags: DIFlagPrototyped | DIFlagAllCallsDescribed, {{.*}}retainedNodes:
; CHECK-DAG: [[PLACE]] = !DILocation(line: 6, column: 9, scope: [[BLOCK:![0-9]+]])
; CHECK-DAG: [[BLOCK]] = distinct !DILexicalBlock(scope: [[F]]
; CHECK-DAG: [[ACTIVE]] = distinct !DISubprogram(name: "f", {{.*}}flags: DIFlagPrototyped, {{.*}}retainedNodes: [[NONE:![0-9]+]])
; CHECK-DAG: [[NONE]] = !{}
; CHECK-DAG: [[LINE]] = !DILocation(line: 6, scope: [[ACTIVE]])
define i32 @f(i32 %n) !dbg !10 {
    #dbg_value(i32 %n, !12, !DIExpression(), !14)
  %v = load i32, ptr @value, align 4, !dbg !14
  ret i32 %v, !dbg !15
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/project")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = !DISubroutineType(types: !5)
!5 = !{!3, !3}
!10 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !11)
!11 = !{!12}
!12 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !1, line: 3, type: !3)
!13 = distinct !DILexicalBlock(scope: !10, file: !1, line: 5, column: 3)
!14 = !DILocation(line: 6, column: 9, scope: !13)
!15 = !DILocation(line: 7, column: 3, scope: !10)
