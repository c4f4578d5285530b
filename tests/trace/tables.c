// A program that carries the tables that the pass would have written: two
// sites in one function, in one unit. Read by site_table_test.cc; never run.

__asm__(
    ".pushsection fl_units_of_test, \"aw\"\n"
    ".balign 64\n"
    "unit:\n"
    "  .long unit_end - unit, 1, 2 " TABLES_DAMAGE ", 0\n"
    "  .long functions - ., sites - ., 0, 0\n"
    "functions:\n"
    "  .quad 0x77\n"
    "  .long fn_name - ., fn_linkage - ., file - ., 11\n"
    "  .long 0, 0, 0, sites - ., 2, 0\n"
    "sites:\n"
    "  .quad 0x101, 0x201\n"
    "  .long functions - ., file - ., 0\n"
    "  .long 18, 4, 0, 0\n"
    "  .short 7, 0, 0, 0\n"
    "  .byte 1, 0, 0, 0\n"
    "  .long 0, 0\n"
    "  .quad 0x102, 0x202\n"
    "  .long functions - ., file - ., 0\n"
    "  .long 19, 4, 0, 64\n"
    "  .short 9, 0, 0, 0\n"
    "  .byte 2, 0, 0, 0\n"
    "  .long 0, 0\n"
    "file: .long file_path - ., 0, 0, 0\n"
    "fn_name: .asciz \"increment\"\n"
    "fn_linkage: .asciz \"_Z9incrementv\"\n"
    "file_path: .asciz \"dir/lost.c\"\n"
    "unit_end:\n"
    ".popsection\n"
    ".pushsection .note.fairlead, \"a\", @note\n"
    ".balign 4\n"
    "  .long 9, 32, 1\n"
    "  .asciz \"Fairlead\"\n"
    "  .balign 4\n"
    "  .long " TABLES_VERSION ", 32\n"
    "  .long unit - ., unit_end - .\n"
    "  .long 0, 0, 0, 0\n"
    ".popsection\n");

int counter;

int main(void) { return counter; }
