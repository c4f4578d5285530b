; RUN: %pass %s | %check --check-prefix=FULL
; RUN: %pass -fairlead-debug=lines %s | %check --check-prefix=LINES
;
; The pass reads struct types from debug information, then leaves what the user
; asked for: with -fairlead-debug=lines only line tables remain, while the type
; table is the same.

target triple = "x86_64-pc-linux-gnu"

%struct.Pair = type { i32, i32 }

@pair = global %struct.Pair zeroinitializer

; FULL: @__fl_unit = {{.*}}second\00{{.*}}Pair\00
; FULL: emissionKind: FullDebug
; FULL: !DICompositeType(tag: DW_TAG_structure_type, name: "Pair"

; LINES: @__fl_unit = {{.*}}second\00{{.*}}Pair\00
; LINES: emissionKind: LineTablesOnly
; LINES-NOT: !DICompositeType
define void @f(ptr %p) !dbg !9 {
  %second = getelementptr inbounds %struct.Pair, ptr %p, i32 0, i32 1
  store i32 1, ptr %second, !dbg !13
  ret void, !dbg !13
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, retainedTypes: !3)
!1 = !DIFile(filename: "a.c", directory: "/project")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{!4}
!4 = !DICompositeType(tag: DW_TAG_structure_type, name: "Pair", file: !1, line: 1, size: 64, elements: !5)
!5 = !{!6, !7}
!6 = !DIDerivedType(tag: DW_TAG_member, name: "first", scope: !4, baseType: !8, size: 32)
!7 = !DIDerivedType(tag: DW_TAG_member, name: "second", scope: !4, baseType: !8, size: 32, offset: 32)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !10, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DISubroutineType(types: !11)
!11 = !{null, !12}
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!13 = !DILocation(line: 4, column: 3, scope: !9)
