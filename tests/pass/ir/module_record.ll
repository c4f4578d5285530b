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

; One writable hook table, hidden, merged by the linker, beyond the optimizer.
; CHECK: @__fl_hooks = linkonce_odr hidden externally_initialized global [8 x ptr] zeroinitializer, {{.*}}comdat
; CHECK: @__fl_modes.[[FN:[0-9a-f]+]] = linkonce_odr hidden externally_initialized global [2 x i8] zeroinitializer, section "fl_modes"{{.*}} comdat($__fl_fn.[[FN]])
; CHECK: @__fl_fn.[[FN]] = linkonce_odr hidden constant {{.*}}section "fl_functions"
; CHECK: @__fl_sites.[[FN]] = linkonce_odr hidden constant {{.*}}section "fl_sites"{{.*}} comdat($__fl_fn.[[FN]])
;
; "Fairlead", type 1, version 1, 48 bytes.
; CHECK: @__fl_note = linkonce_odr hidden constant {{.*}}<{ i32 9, i32 48, i32 1, i8 70, i8 97, i8 105, i8 114, i8 108, i8 101, i8 97, i8 100, i8 0, i8 0, i8 0, i8 0, i32 2, i32 48, {{.*}}section ".note.fairlead"
; CHECK: @llvm.used = {{.*}}@__fl_note
; CHECK: @llvm.global_ctors = {{.*}}@__fl_module_constructor, ptr @__fl_module_constructor
; CHECK: declare extern_weak void @__fl_module_loaded(ptr)
; CHECK: define linkonce_odr hidden void @__fl_module_constructor()
; CHECK: icmp ne ptr @__fl_module_loaded, null
; CHECK: call void @__fl_module_loaded(ptr getelementptr inbounds (i8, ptr @__fl_note, i64 24))
; CHECK: !fairlead.instrumented = !{}

; A module that comes to a second pipeline is left alone.
; TWICE: @__fl_note
; TWICE-NOT: @__fl_note.1
; TWICE-LABEL: define void @f()
; TWICE-NOT: define {{.*}}.active.active
