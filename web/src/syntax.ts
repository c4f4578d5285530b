// A line of C or C++ with colours. By words alone: comments and strings that go
// on over lines are not known.

import { el } from "./dom";

const KEYWORDS = new Set((
  "alignas auto break case catch class const constexpr continue co_await co_return co_yield default "
  + "delete do else enum explicit extern final for friend goto if inline mutable namespace new noexcept "
  + "nullptr operator override private protected public register return sizeof static static_assert "
  + "static_cast struct switch template this throw true false try typedef typename union using virtual "
  + "volatile while NULL").split(" "));
const TYPES = new Set((
  "bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t "
  + "int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t FILE pthread_t pthread_mutex_t pthread_cond_t "
  + "std string vector map unique_ptr shared_ptr thread mutex atomic atomic_int lock_guard unique_lock"
).split(" "));
const TOKEN =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(#\s*[a-z]+)|(\b\d[\w.']*)|([A-Za-z_]\w*)/g;

export function coloured(line: string): HTMLElement {
  const code = el("code", { class: "code" });
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    const index = match.index ?? 0;
    if (index > at) code.append(line.slice(at, index));
    const kind = kindOf(match);
    const text = match[0] ?? "";
    code.append(kind ? el("span", { class: kind }, text) : text);
    at = index + text.length;
  }
  code.append(line.slice(at));
  return code;
}

function kindOf(match: RegExpMatchArray): string {
  if (match[1]) return "c-comment";
  if (match[2]) return "c-string";
  if (match[3]) return "c-word";
  if (match[4]) return "c-number";
  const word = match[5] ?? "";
  if (KEYWORDS.has(word)) return "c-word";
  return TYPES.has(word) ? "c-type" : "";
}
