; RUN: %pass -fairlead-ids-only %s | %check --check-prefix=IDS
;
; With -fairlead-ids-only each site's id and anchor stay on its instruction as
; metadata, so that a pass that runs late sees the same names. Nothing else is
; changed: no hooks, tables, note or second body.

target triple = "x86_64-pc-linux-gnu"

@value = global i32 0

; IDS-NOT: @__fl_
; IDS: define void @f() #0 {
; IDS-NEXT: store i32 1, ptr @value, align 4, !fairlead.site [[SITE:![0-9]+]]
; IDS-NEXT: ret void
; IDS-NEXT: }
; IDS-NOT: define
; IDS: [[SITE]] = !{i64 {{-?[0-9]+}}, i64 {{-?[0-9]+}}}
define void @f() memory(write) {
  store i32 1, ptr @value, align 4
  ret void
}
