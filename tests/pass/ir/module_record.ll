; RUN: %pass %s | %check
; RUN: %pass %s | %pass | %check --check-prefix=TWICE
;
; The tables hang on one ELF note per loaded module; a constructor tells a
; runtime about a module opened later, through a weak symbol.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

define void @f() {
  store i32 1, ptr @value
  ret void
}

; One unit with all that there is to say, in bytes, beyond the optimizer.
; CHECK: @__fl_unit = internal externally_initialized global <{ [20 x i8], i32, [{{[0-9]+}} x i8] }> <{ [20 x i8] c"{{.*}}", i32 trunc (i64 sub (i64 ptrtoint (ptr getelementptr inbounds (i8, ptr @__fl_sites, i64 64) to i64), i64 ptrtoint (ptr getelementptr inbounds (i8, ptr @__fl_unit, i64 20) to i64)) to i32), {{.*}} section "fl_units", {{.*}}align 8
; One writable hook table, hidden, merged by the linker, beyond the optimizer.
; CHECK: @__fl_hooks.5 = linkonce_odr hidden externally_initialized global [20 x ptr] zeroinitializer, {{.*}}comdat
;
; "Fairlead", type 1, version 5, 32 bytes.
; CHECK: @__fl_note.5 = linkonce_odr hidden constant [14 x i32] [i32 9, i32 32, i32 1, i32 1919508806, i32 1684104556, i32 0, i32 5, i32 32, {{.*}}section ".note.fairlead"
; CHECK: @llvm.used = {{.*}}@__fl_note.5, ptr @__fl_unit, ptr @__fl_before.5
; CHECK: @llvm.global_ctors = {{.*}}@__fl_module_constructor.5, ptr @__fl_module_constructor.5
; CHECK: declare extern_weak void @__fl_module_loaded(ptr)
; CHECK: define linkonce_odr hidden void @__fl_module_constructor.5()
; CHECK: icmp ne ptr @__fl_module_loaded, null
; CHECK: call void @__fl_module_loaded(ptr getelementptr inbounds (i8, ptr @__fl_note.5, i64 24))
; CHECK: !fairlead.instrumented = !{}

; A module that comes to a second pipeline is left alone.
; TWICE: @__fl_note.5 =
; TWICE-NOT: @__fl_note.5.
; TWICE-LABEL: define void @f()
; TWICE-NOT: define {{.*}}.active.active
