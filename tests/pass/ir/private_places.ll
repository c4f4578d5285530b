; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; No site: locals whose address stays here, copies passed by value, constants,
; and slots of virtual tables.

target triple = "x86_64-pc-linux-gnu"

@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@leak = global ptr null

; CHECK-LABEL: define i32 @stays(
; CHECK-NOT: @__fl_
; CHECK: ret i32
define i32 @stays(i32 %n, ptr byval(i32) %copy) {
  %local = alloca i32
  store i32 %n, ptr %local
  %a = load i32, ptr %local
  %b = load i32, ptr %copy
  %p = getelementptr [4 x i32], ptr @table, i64 0, i32 %n
  %c = load i32, ptr %p
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %c
  ret i32 %abc
}

; CHECK-LABEL: define i32 @virtual_call(
; CHECK: @__fl_load8(ptr %object
; CHECK: %function = load ptr, ptr %slot
; CHECK-NOT: load ptr, ptr %slot
; CHECK: ret i32
define i32 @virtual_call(ptr %object) {
  %vtable = load ptr, ptr %object
  %slot = getelementptr inbounds ptr, ptr %vtable, i64 2
  %function = load ptr, ptr %slot
  %r = call i32 %function(ptr %object)
  ret i32 %r
}

; CHECK-LABEL: define i32 @escapes(
; CHECK: @__fl_store4(ptr %local
; CHECK: @__fl_store8(ptr @leak
; CHECK: @__fl_load4(ptr %local
; CHECK: ret i32
define i32 @escapes() {
  %local = alloca i32
  store i32 1, ptr %local
  store ptr %local, ptr @leak
  %v = load i32, ptr %local
  ret i32 %v
}

; The cache of UndefinedBehaviorSanitizer's type checks: where in it a check
; looks depends on where the program lies.
; CHECK-LABEL: define i64 @type_cache(
; CHECK-NOT: @__fl_
; CHECK: ret i64
define i64 @type_cache(i64 %hash) {
  %slot = getelementptr inbounds [128 x i64], ptr @__ubsan_vptr_type_cache, i64 0, i64 %hash
  %v = load i64, ptr %slot
  ret i64 %v
}
@__ubsan_vptr_type_cache = external global [128 x i64]
