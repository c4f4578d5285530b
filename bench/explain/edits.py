"""Mechanical edits of a C or C++ source, none of which touches its bug.

Each takes the lines of a source and the numbers of lines not to be touched, from
1, and gives other lines, or None where the source has nothing to edit like that.
"""

import re

HEADER = re.compile(r"^(?!typedef|struct|class|enum|namespace|extern)"
                    r"[A-Za-z_].*\)(?: const)? \{$")
LOCAL = re.compile(r"^\s+(?:const )?(?:unsigned |signed )?"
                   r"(?:int|unsigned|long|size_t|char|bool|double|uint32_t|"
                   r"uint64_t|auto)\b[ *&]+(?:const )?([a-z_]\w*)(?: =|;|\()")
RETURN = re.compile(r"^(\s+return )([^;{}]+);$")
LOG = '  fprintf(stderr, "%s", "");'


def functions(lines):
    """(first, last) of each function at the left margin, as indices."""
    found = []
    for first, line in enumerate(lines):
        if not HEADER.match(line):
            continue
        for last in range(first + 1, len(lines)):
            if lines[last].startswith("}"):
                found.append((first, last))
                break
    return found


def log_line(lines, _):
    """A line that writes a log begins every function but one-liners."""
    edited = ["#include <stdio.h>"]
    starts = {first for first, _ in functions(lines)}
    if not starts:
        return None
    for index, line in enumerate(lines):
        edited.append(line)
        if index in starts:
            edited.append(LOG)
    return edited


def lines_above(lines, _):
    return [f"/* line {n} of ten that were added */" for n in range(10)] + lines


def local_renamed(lines, _):
    edited = list(lines)
    changed = False
    for first, last in functions(lines):
        names = {match.group(1) for line in lines[first + 1:last]
                 if (match := LOCAL.match(line))}
        for name in sorted(names):
            # Members are not meant.
            word = re.compile(rf"(?<![\w.>]){name}\b(?!\()")
            for index in range(first, last):
                text = edited[index]
                if '"' in text or "'" in text or "[=" in text or "[&" in text:
                    continue
                edited[index] = word.sub(f"{name}_renamed", text)
            changed = True
    return edited if changed else None


def function_moved(lines, _):
    """The first static function goes behind all others."""
    for first, last in functions(lines):
        header = lines[first]
        if not header.startswith("static ") or "template" in lines[first - 1]:
            continue
        prototype = header[:-2] + ";"
        return (lines[:first] + [prototype] + lines[last + 1:] + [""] +
                lines[first:last + 1])
    return None


def other_line(lines, kept):
    """Another line of each function is edited: one that returns."""
    edited = list(lines)
    changed = False
    for first, last in functions(lines):
        for index in range(first + 1, last):
            match = RETURN.match(lines[index])
            if match and index + 1 not in kept:
                edited[index] = f"{match.group(1)}({match.group(2)});"
                changed = True
    return edited if changed else None


# Name, edit of the text, options of the compiler in place of -O1.
EDITS = [
    ("log line", log_line, ["-O1"]),
    ("-O level", lambda lines, _: lines, ["-O2"]),
    ("lines above", lines_above, ["-O1"]),
    ("local renamed", local_renamed, ["-O1"]),
    ("function moved", function_moved, ["-O1"]),
    ("other line", other_line, ["-O1"]),
]
