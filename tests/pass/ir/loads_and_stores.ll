; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; A load or store is written twice: once between hooks, once alone, chosen by
; the site's mode byte. Bits 1 and 4 of the mode call Hooks::before (the first
; hook), bit 2 Hooks::after (the third), which gets the value of this very
; access, widened to 64 bits.

target triple = "x86_64-pc-linux-gnu"

@counter = global i32 0
@real = global double 0.0
@link = global ptr null

; CHECK-LABEL: define i32 @load_int()
; CHECK: %[[MODE:.*]] = load i8, ptr getelementptr inbounds (i8, ptr @__fl_modes.[[FN:.*]], i64 1)
; CHECK: %[[BUSY:.*]] = icmp ne i8 %[[MODE]], 0
; CHECK: br i1 %[[BUSY]], label %[[ACTIVE:.*]], label %[[IDLE:.*]], !prof [[UNLIKELY:!.*]]
; CHECK: [[ACTIVE]]:
; CHECK: and i8 %[[MODE]], 5
; CHECK: %[[BEFORE:.*]] = load ptr, ptr @__fl_hooks
; CHECK: call preserve_mostcc void %[[BEFORE]](ptr @__fl_sites.[[FN]], ptr @counter, i64 0)
; CHECK: %[[SEEN:.*]] = load i32, ptr @counter
; CHECK: and i8 %[[MODE]], 2
; CHECK: %[[WIDE:.*]] = zext i32 %[[SEEN]] to i64
; CHECK: %[[AFTER:.*]] = load ptr, ptr getelementptr inbounds (i8, ptr @__fl_hooks, i64 16)
; CHECK: call preserve_mostcc void %[[AFTER]](ptr @__fl_sites.[[FN]], ptr @counter, i64 %[[WIDE]], i64 0)
; CHECK: [[IDLE]]:
; CHECK: %[[ALONE:.*]] = load i32, ptr @counter
; CHECK: %v = phi i32 [ %[[SEEN]], %{{.*}} ], [ %[[ALONE]], %[[IDLE]] ]
; CHECK: ret i32 %v
define i32 @load_int() {
  %v = load i32, ptr @counter
  ret i32 %v
}

; CHECK-LABEL: define void @store_double(
; CHECK: store double %d, ptr @real
; CHECK: %[[BITS:.*]] = bitcast double %d to i64
; CHECK: call preserve_mostcc void %{{.*}}(ptr @__fl_sites.{{.*}}, ptr @real, i64 %[[BITS]], i64 0)
; CHECK: store double %d, ptr @real
; CHECK: ret void
define void @store_double(double %d) {
  store double %d, ptr @real
  ret void
}

; A later address that is an earlier value is the merged value.
;
; CHECK-LABEL: define i8 @load_through()
; CHECK: %p = phi ptr
; CHECK: call preserve_mostcc void %{{.*}}(ptr getelementptr inbounds (i8, ptr @__fl_sites.{{.*}}, i64 64), ptr %p, i64 0)
; CHECK: load i8, ptr %p
define i8 @load_through() {
  %p = load ptr, ptr @link
  %v = load i8, ptr %p
  ret i8 %v
}

; Volatile stays volatile in both copies.
;
; CHECK-LABEL: define void @twice_volatile()
; CHECK: store volatile i32 1, ptr @counter
; CHECK: store volatile i32 1, ptr @counter
; CHECK-NOT: store volatile
; CHECK: ret void
define void @twice_volatile() {
  store volatile i32 1, ptr @counter
  ret void
}

; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 1, i32 1048575}
