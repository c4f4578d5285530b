; RUN: %pass -fairlead-idle-copies=false -fairlead-frames=false %s | %check
;
; A member of a standard template that lives in the C++ library comes as a body
; that may be inlined and is dropped otherwise. It becomes the program's own,
; hidden so that the library keeps its own. C's `extern inline` does not, for
; it may differ from what it stands for.

target triple = "x86_64-pc-linux-gnu"

; CHECK: define linkonce_odr hidden i64 @_ZNKSs4sizeEv(ptr dereferenceable(32) %this){{.*}} comdat
; CHECK: call i64 @__fl_load8(
define available_externally i64 @_ZNKSs4sizeEv(ptr dereferenceable(32) %this) {
  %v = load i64, ptr %this
  ret i64 %v
}

; CHECK: define available_externally i64 @c_inline(
define available_externally i64 @c_inline(ptr %p) {
  %v = load i64, ptr %p
  ret i64 %v
}

; A call of an adopted member is an access to the object all the same, as it is
; where the member stays in the library.
;
; CHECK: define i64 @caller(
; CHECK: call void @__fl_before_range(ptr %string, i64 
; CHECK: call i64 @_ZNKSs4sizeEv(ptr dereferenceable(32) %string)
define i64 @caller(ptr %string) {
  %size = call i64 @_ZNKSs4sizeEv(ptr dereferenceable(32) %string)
  ret i64 %size
}
