; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; Memory intrinsics, library calls and assembly stay where they are, once, with
; range hooks around them, which are handed what the length is made of: one that
; only the string tells is never measured here.

target triple = "x86_64-pc-linux-gnu"

@from = global [64 x i8] zeroinitializer
@to = global [64 x i8] zeroinitializer

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @strcpy(ptr, ptr)

; CHECK-LABEL: define void @copy(
; CHECK-DAG: call void @__fl_before_range(ptr @from, i64 {{[0-9]+}}, i64 %n, i64 0)
; CHECK-DAG: call void @__fl_before_range(ptr @to, i64 {{[0-9]+}}, i64 %n, i64 0)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr @to, ptr @from, i64 %n, i1 false)
; CHECK-DAG: call void @__fl_after_range(ptr @from, i64 {{[0-9]+}}, i64 %n, i64 0)
; CHECK-DAG: call void @__fl_after_range(ptr @to, i64 {{[0-9]+}}, i64 %n, i64 0)
; CHECK-NOT: call void @llvm.memcpy
; CHECK: ret void
define void @copy(i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr @to, ptr @from, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: define void @clear()
; CHECK: call void @__fl_before_range(ptr @to, i64 {{[0-9]+}}, i64 0, i64 0)
; CHECK: call void @llvm.memset.p0.i64(ptr @to, i8 0, i64 16, i1 false)
; CHECK: call void @__fl_after_range(ptr @to, i64 {{[0-9]+}}, i64 0, i64 0)
define void @clear() {
  call void @llvm.memset.p0.i64(ptr @to, i8 0, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define void @copy_text(
; CHECK-NOT: @strlen
; CHECK: %[[TEXT:.*]] = ptrtoint ptr %text to i64
; CHECK: call void @__fl_before_range(ptr @to, i64 {{[0-9]+}}, i64 %[[TEXT]], i64 0)
; CHECK: call ptr @strcpy(ptr @to, ptr %text)
; CHECK-NOT: call ptr @strcpy
; CHECK: ret void
define void @copy_text(ptr %text) {
  %same = call ptr @strcpy(ptr @to, ptr %text)
  ret void
}

; CHECK-LABEL: define void @assembly()
; CHECK: call void @__fl_before_range(ptr @to, i64 {{[0-9]+}}, i64 0, i64 0)
; CHECK: call void asm sideeffect "incl $0", "=*m,*m"
define void @assembly() {
  call void asm sideeffect "incl $0", "=*m,*m"(ptr elementtype(i32) @to, ptr elementtype(i32) @to)
  ret void
}

; CHECK-LABEL: define void @barrier()
; CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT: ret void
define void @barrier() {
  call void asm sideeffect "", "~{memory}"()
  ret void
}
