"""Mechanical edits, each from the text of a program to another text that means
the same or a little more, as a day's work leaves it."""

import re
import subprocess


def lines_inserted_above(text):
    notice = "".join(f"// Line {i} of a licence notice.\n" for i in range(37))
    return notice + text.replace("namespace warehouse {\n",
                                 "namespace warehouse {\n\n\n", 1)


def printf_added(text):
    """As the first statement of every method that returns nothing."""
    return re.sub(r"(\n  void \w+\([^)]*\) \{\n)",
                  r'\1    std::printf("here\\n");\n', text)


def local_renamed(text):
    return re.sub(r"\bdelta\b", "difference",
                  re.sub(r"\broom\b", "space_left", text))


def functions_moved(text):
    """The primes go to the front of the small things, and a class goes to the
    front of the file."""
    primes = cut(text, "static int CountPrimes", "\n}\n")
    text = text.replace(primes, "", 1)
    text = text.replace("static double Fibonacci",
                        primes + "\nstatic double Fibonacci", 1)
    statistics = cut(text, "class Statistics {", "\n};\n")
    text = text.replace(statistics, "", 1)
    return text.replace("class Random {", statistics + "\nclass Random {", 1)


def indented_by_four(text):
    style = ("{BasedOnStyle: Google, IndentWidth: 4, ColumnLimit: 100,"
             " AccessModifierOffset: -2}")
    return subprocess.run(["clang-format-19", f"-style={style}"], input=text,
                          capture_output=True, text=True, check=True).stdout


def comments_edited(text):
    text = re.sub(r"(?m)^( *)// (.*)$", r"\1// Reworded: \2", text)
    text = re.sub(r"(?m)^( +return .*;)$", r"\1  // the answer", text)
    return re.sub(r"(?m)^( +)(\+\+\w+;)$", r"\1/* one more */ \2", text)


def function_added(text):
    added = """
static int added_state = 0;

static int Added(const std::vector<int>& numbers) {
  auto count = [](int n) { added_state += n; };
  for (int n : numbers) count(n);
  return added_state;
}
"""
    text = text.replace("// The road map.\n", added + "\n// The road map.\n", 1)
    return text.replace("  simulation.Report();\n",
                        "  simulation.Report();\n  Added({1, 2});\n", 1)


def header_included(text):
    return text.replace("#include <array>\n",
                        "#include <array>\n#include <bitset>\n", 1)


def members_added(text):
    text = text.replace("  int item_id = 0;\n  int count = 0;\n",
                        "  long colour = 0;\n  int item_id = 0;\n"
                        "  int count = 0;\n")
    return text.replace("  Statistics trips_;\n",
                        "  long breaks_ = 0;\n  Statistics trips_;\n")


def code_added(text):
    """Checks at the head of some functions, with accesses of their own."""
    text = text.replace("  bool Pick(Order& order) {\n",
                        "  bool Pick(Order& order) {\n"
                        "    if (order.attempts > 9) return false;\n"
                        "    picked_ += 0;\n")
    return text.replace("  Order* Get() {\n",
                        "  Order* Get() {\n    if (deepest_ < 0) Close();\n")


def cut(text, begin, end):
    start = text.index(begin)
    return text[start:text.index(end, start) + len(end)]


def unchanged(text):
    return text


# Name, edit, -O level.
EDITS = [
    ("rebuilt elsewhere", unchanged, 0),
    ("lines inserted above", lines_inserted_above, 0),
    ("a printf added", printf_added, 0),
    ("locals renamed", local_renamed, 0),
    ("another -O level", unchanged, 2),
    ("functions moved", functions_moved, 0),
    ("indented by four", indented_by_four, 0),
    ("comments edited", comments_edited, 0),
    ("a function added", function_added, 0),
    ("a header included", header_included, 0),
    ("members added", members_added, 0),
    ("checks added", code_added, 0),
]
