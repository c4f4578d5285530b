// A program that carries the tables that the pass would have written: two
// sites in one function and a type, in one unit. Read by site_table_test.cc;
// never run.

__asm__(
    ".pushsection fl_units_of_test, \"aw\"\n"
    ".balign 64\n"
    "unit:\n"
    "  .long unit_end - unit, 1, 2 " TABLES_DAMAGE
    ", 1\n"
    "  .long functions - ., 0, types - ., file - .\n"
    "  .long packed - ., packed_end - packed, 1, 0\n"
    "functions:\n"
    "  .quad 0x77\n"
    "  .long fn_name - ., fn_linkage - ., file - ., 11\n"
    "  .long types - ., params - .\n"
    "  .short 1, 16\n"
    "  .long 0, 2, 0\n"
    "types:\n"
    "  .quad 0x301\n"
    "  .long type_name - ., file - ., 3, 16\n"
    "  .long fields - ., 0\n"
    "  .short 1, 0\n"
    "  .long 1\n"
    "fields: .long field_name - ., 8, 8, types - ., 8\n"
    "params: .long types - ., 0\n"
    // Column 7, line 18, kind 1, size 4, flags 2, block 2, offset 8, type, file
    // and loop 1: each twice as large, for its sign.
    "packed:\n"
    "  .byte 0xdf, 0x0f, 14, 36, 2, 8, 4, 4, 16, 2, 2, 2\n"
    "  .quad 0x101, 0x201\n"
    // Column 9, line 19, kind 2, flags 64; no block, offset, type or loop.
    "  .byte 0xd7, 0x0b, 4, 2, 2, 124, 3, 15, 1, 1\n"
    "  .quad 0x102, 0x202\n"
    "packed_end:\n"
    "  .balign 4\n"
    "file: .long file_path - ., 0, 0, 0\n"
    "type_name: .asciz \"Counter\"\n"
    "field_name: .asciz \"next\"\n"
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
    "  .long " TABLES_VERSION
    ", 32\n"
    "  .long unit - ., unit_end - .\n"
    "  .long 0, 0, 0, 0\n"
    ".popsection\n");

int counter;

int main(void) { return counter; }
