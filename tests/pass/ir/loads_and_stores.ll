; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; A plain load or store becomes one call of the stub that makes it, with the
; record of its site: the second one's lies 64 bytes behind the first one's.
; What no stub makes stays between two calls.

target triple = "x86_64-pc-linux-gnu"

@counter = global i32 0
@real = global double 0.0
@link = global ptr null

; CHECK-LABEL: define i32 @load_int()
; CHECK: %fl.sites = freeze ptr getelementptr inbounds (i8, ptr @__fl_sites, i64 64)
; CHECK: %v = call i32 @__fl_load4.5(ptr @counter, ptr %fl.sites)
; CHECK-NEXT: ret i32 %v
define i32 @load_int() {
  %v = load i32, ptr @counter
  ret i32 %v
}

; CHECK-LABEL: define void @store_double(
; CHECK: call void @__fl_store_double.5(ptr @real, ptr %fl.sites, double %d)
; CHECK-NEXT: ret void
define void @store_double(double %d) {
  store double %d, ptr @real
  ret void
}

; A later address that is an earlier value is what the stub returned.
;
; CHECK-LABEL: define i8 @load_through()
; CHECK: %[[BITS:.*]] = call i64 @__fl_load8.5(ptr @link, ptr %fl.sites)
; CHECK: %p = inttoptr i64 %[[BITS]] to ptr
; CHECK: %[[SITE:.*]] = getelementptr inbounds i8, ptr %fl.sites, i64 64
; CHECK: %v = call i8 @__fl_load1.5(ptr %p, ptr %[[SITE]])
define i8 @load_through() {
  %p = load ptr, ptr @link
  %v = load i8, ptr %p
  ret i8 %v
}

; CHECK-LABEL: define void @set_volatile()
; CHECK: call void @__fl_store4.5(ptr @counter, ptr %fl.sites, i32 1)
; CHECK-NOT: store volatile
; CHECK: ret void
define void @set_volatile() {
  store volatile i32 1, ptr @counter
  ret void
}

; Wider than a register.
;
; CHECK-LABEL: define void @store_wide(
; CHECK: call void @__fl_before.5(ptr %p, ptr %fl.sites)
; CHECK: store i128 %v, ptr %p
; CHECK: call void @__fl_after.5(ptr %p, ptr %fl.sites, i64 0)
define void @store_wide(ptr %p, i128 %v) {
  store i128 %v, ptr %p
  ret void
}

; A sanitizer must see the access itself.
;
; CHECK-LABEL: define float @load_checked(
; CHECK: call void @__fl_before.5(ptr %p, ptr %fl.sites)
; CHECK: %v = load float, ptr %p
; CHECK: %[[BITS:.*]] = bitcast float %v to i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[BITS]] to i64
; CHECK: call void @__fl_after.5(ptr %p, ptr %fl.sites, i64 %[[WIDE]])
define float @load_checked(ptr %p) sanitize_address {
  %v = load float, ptr %p
  ret float %v
}
