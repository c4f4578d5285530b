; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; A plain load or store becomes one call of the stub that makes it, with the
; distance of its record: the second one lies 64 bytes behind the first one.
; What no stub makes stays between two calls.

target triple = "x86_64-pc-linux-gnu"

@counter = global i32 0
@real = global double 0.0
@link = global ptr null

; CHECK-LABEL: define i32 @load_int()
; CHECK: %v = call i32 @__fl_load4(ptr @counter, i64 64)
; CHECK-NEXT: ret i32 %v
define i32 @load_int() {
  %v = load i32, ptr @counter
  ret i32 %v
}

; CHECK-LABEL: define void @store_double(
; CHECK: call void @__fl_store_double(ptr @real, i64 {{[0-9]+}}, double %d)
; CHECK-NEXT: ret void
define void @store_double(double %d) {
  store double %d, ptr @real
  ret void
}

; A later address that is an earlier value is what the stub returned.
;
; CHECK-LABEL: define i8 @load_through()
; CHECK: %[[BITS:.*]] = call i64 @__fl_load8(ptr @link, i64 [[#FIRST:]])
; CHECK: %p = inttoptr i64 %[[BITS]] to ptr
; CHECK: %v = call i8 @__fl_load1(ptr %p, i64 [[#FIRST+64]])
define i8 @load_through() {
  %p = load ptr, ptr @link
  %v = load i8, ptr %p
  ret i8 %v
}

; CHECK-LABEL: define void @set_volatile()
; CHECK: call void @__fl_store4(ptr @counter, i64 {{[0-9]+}}, i32 1)
; CHECK-NOT: store volatile
; CHECK: ret void
define void @set_volatile() {
  store volatile i32 1, ptr @counter
  ret void
}

; Wider than a register.
;
; CHECK-LABEL: define void @store_wide(
; CHECK: call void @__fl_before(ptr %p, i64 {{[0-9]+}})
; CHECK: store i128 %v, ptr %p
; CHECK: call void @__fl_after(ptr %p, i64 {{[0-9]+}}, i64 0)
define void @store_wide(ptr %p, i128 %v) {
  store i128 %v, ptr %p
  ret void
}

; A sanitizer must see the access itself.
;
; CHECK-LABEL: define float @load_checked(
; CHECK: call void @__fl_before(ptr %p, i64 {{[0-9]+}})
; CHECK: %v = load float, ptr %p
; CHECK: %[[BITS:.*]] = bitcast float %v to i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[BITS]] to i64
; CHECK: call void @__fl_after(ptr %p, i64 {{[0-9]+}}, i64 %[[WIDE]])
define float @load_checked(ptr %p) sanitize_address {
  %v = load float, ptr %p
  ret float %v
}
