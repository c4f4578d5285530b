; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; Atomic operations stay where they are, between two stubs. Behind a
; read-modify-write, Hooks::after_rmw gets what was there, what is there now, and
; whether the write took place.

target triple = "x86_64-pc-linux-gnu"

@word = global i32 0

; CHECK-LABEL: define i32 @acquire()
; CHECK: call void @__fl_before(ptr @word, i64 {{[0-9]+}})
; CHECK: %v = load atomic i32, ptr @word acquire
; CHECK: %[[WIDE:.*]] = zext i32 %v to i64
; CHECK: call void @__fl_after(ptr @word, i64 {{[0-9]+}}, i64 %[[WIDE]])
; CHECK-NOT: load atomic
; CHECK: ret i32 %v
define i32 @acquire() {
  %v = load atomic i32, ptr @word acquire, align 4
  ret i32 %v
}

; CHECK-LABEL: define i32 @add(
; CHECK: %[[OLD:.*]] = atomicrmw add ptr @word, i32 %n seq_cst
; CHECK: %[[NOW:.*]] = add i32 %[[OLD]], %n
; CHECK-DAG: %[[OLD64:.*]] = zext i32 %[[OLD]] to i64
; CHECK-DAG: %[[NOW64:.*]] = zext i32 %[[NOW]] to i64
; CHECK: call void @__fl_after_rmw(ptr @word, i64 {{[0-9]+}}, i64 %[[OLD64]], i64 %[[NOW64]], i32 1)
; CHECK-NOT: atomicrmw
; CHECK: ret i32
define i32 @add(i32 %n) {
  %old = atomicrmw add ptr @word, i32 %n seq_cst
  ret i32 %old
}

; CHECK-LABEL: define i32 @exchange(
; CHECK: %[[OLD:.*]] = atomicrmw xchg ptr @word, i32 %n acq_rel
; CHECK-DAG: %[[OLD64:.*]] = zext i32 %[[OLD]] to i64
; CHECK-DAG: %[[NOW64:.*]] = zext i32 %n to i64
; CHECK: call void @__fl_after_rmw({{.*}}, i64 %[[OLD64]], i64 %[[NOW64]], i32 1)
define i32 @exchange(i32 %n) {
  %old = atomicrmw xchg ptr @word, i32 %n acq_rel
  ret i32 %old
}

; CHECK-LABEL: define i32 @unsigned_max(
; CHECK: %[[OLD:.*]] = atomicrmw umax ptr @word, i32 %n monotonic
; CHECK: %[[MORE:.*]] = icmp ugt i32 %[[OLD]], %n
; CHECK: select i1 %[[MORE]], i32 %[[OLD]], i32 %n
define i32 @unsigned_max(i32 %n) {
  %old = atomicrmw umax ptr @word, i32 %n monotonic
  ret i32 %old
}

; A failed swap leaves what was there.
;
; CHECK-LABEL: define i1 @swap(
; CHECK: %[[PAIR:.*]] = cmpxchg weak ptr @word, i32 %a, i32 %b acquire monotonic
; CHECK: %[[OLD:.*]] = extractvalue { i32, i1 } %[[PAIR]], 0
; CHECK: %[[DONE:.*]] = extractvalue { i32, i1 } %[[PAIR]], 1
; CHECK: %[[NOW:.*]] = select i1 %[[DONE]], i32 %b, i32 %[[OLD]]
; CHECK-DAG: %[[OLD64:.*]] = zext i32 %[[OLD]] to i64
; CHECK-DAG: %[[NOW64:.*]] = zext i32 %[[NOW]] to i64
; CHECK-DAG: %[[OK:.*]] = zext i1 %[[DONE]] to i32
; CHECK: call void @__fl_after_rmw({{.*}}, i64 %[[OLD64]], i64 %[[NOW64]], i32 %[[OK]])
define i1 @swap(i32 %a, i32 %b) {
  %pair = cmpxchg weak ptr @word, i32 %a, i32 %b acquire monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  ret i1 %done
}

; CHECK-LABEL: define void @fences()
; CHECK: call void @__fl_before(ptr null, i64 {{[0-9]+}})
; CHECK: fence seq_cst
; CHECK: call void @__fl_after(ptr null, i64 {{[0-9]+}}, i64 0)
; CHECK: fence syncscope("singlethread") release
define void @fences() {
  fence seq_cst
  fence syncscope("singlethread") release
  ret void
}
