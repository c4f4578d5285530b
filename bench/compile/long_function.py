#!/usr/bin/env python3
"""Prints a C file with one long function, as options are parsed or pages
rendered in many a real program: tests, loops and calls one after the other.

  long_function.py STATEMENTS
"""

import random
import sys

HEAD = """#include <stdio.h>
#include <string.h>

struct page {
  int counts[32];
  char title[128];
  char *from, *to;
  struct page *next;
};

int render(struct page *page, const char *text, char *out) {
  char line[1024];
  char *end = line;
  struct page *other = page;
  int width = 0;
"""
TAIL = """done:
  *end = 0;
  strcpy(out, line);
  return width;
}
"""
SHAPES = [
    "  if (*text == {c}) {{ *end++ = *text++; page->counts[{k}]++; }}"
    " else if (other->counts[{k}] > {i}) other = other->next;",
    "  while (*text && *text != {c}) {{ *end++ = *text++;"
    " if (end - line > 1000) {{ width = {i}; goto done; }} }}",
    '  if (strcmp(page->title, "t{i}") == 0) strcpy(out, line);'
    ' else strcat(page->title, "-");',
    "  for (int j = 0; j < page->counts[{k}]; j++)"
    " page->counts[j & 31] += other->counts[(j + {i}) & 31];",
    "  if (page->from && *page->from == '<')"
    ' {{ sprintf(out, "%s %d", page->from, page->counts[{k}]); page->from++; }}',
    "  switch (*text) {{ case 'x': page->counts[{k}]--; break;"
    " case 'y': *page->to = 'y'; break; case 'z': page->next = other; break;"
    " default: width += page->counts[{k}]; }}",
    "  page->to = page->from ? page->from + {k} : line; *out++ = *page->to;"
    " if (!*text) return width;",
]


def main():
    chance = random.Random(7)
    print(HEAD, end="")
    for i in range(int(sys.argv[1])):
        shape = chance.choice(SHAPES)
        print(shape.format(i=i, c=chance.randrange(33, 120),
                           k=chance.randrange(32)))
    print(TAIL, end="")


if __name__ == "__main__":
    main()
