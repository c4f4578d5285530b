#!/usr/bin/env python3
"""Makes files that look like programs of another kind out of one program.

usage: patch_elf.py PROGRAM DIRECTORY

bits32: of class 32; foreign: for another machine; object.o: not linked.
"""

import pathlib
import sys

program = pathlib.Path(sys.argv[1]).read_bytes()
directory = pathlib.Path(sys.argv[2])
EI_CLASS, E_TYPE, E_MACHINE = 4, 16, 18
for name, offset, byte in (("bits32", EI_CLASS, 1), ("foreign", E_MACHINE, 183),
                           ("object.o", E_TYPE, 1)):
    patched = bytearray(program)
    patched[offset] = byte
    path = directory / name
    path.write_bytes(patched)
    path.chmod(0o755)
