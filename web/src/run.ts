// An interleaving: rows in columns of numbers, and what is known at each row.

export const DECIDES = 1;
export const CONFLICTS = 2;
export const FAILED = 4;
export const NO_RETURN = 8;
export const SEES = 16;

type Column = number[] | { runs: number[] };
type Columns<K extends string> = Partial<Record<K, Column>>;

interface Raw {
  threads: string[];
  texts: string[];
  steps: Columns<"step" | "thread" | "what" | "value" | "note" | "place" | "marks" | "back">;
  places: Columns<"file" | "line" | "function" | "source">;
  locks: Columns<"thread" | "lock" | "from" | "rows">;
  values: Columns<"rows" | "variable" | "value">;
  life: Columns<"row">;
}

// A column as numbers: runs are spread.
function spread(column: Column | undefined): Int32Array {
  if (!column) return new Int32Array(0);
  if (Array.isArray(column)) return Int32Array.from(column);
  const { runs } = column;
  let length = 0;
  for (let i = 1; i < runs.length; i += 2) length += runs[i] ?? 0;
  const numbers = new Int32Array(length);
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) {
    numbers.fill(runs[i] ?? 0, at, at + (runs[i + 1] ?? 0));
    at += runs[i + 1] ?? 0;
  }
  return numbers;
}

// Of differences, the numbers.
function summed(differences: Int32Array): Int32Array {
  let sum = 0;
  for (let i = 0; i < differences.length; ++i) differences[i] = sum += differences[i] ?? 0;
  return differences;
}

export interface Row {
  index: number;
  step: number; // -1: it never happened
  thread: number;
  text: string;
  value: string; // the part of `text` from " = " on
  note: string;
  file: string;
  line: number;
  function: string;
  source: string;
  marks: number;
  from: number; // a row; -1 = none
}

export interface Span {
  thread: number;
  lock: string;
  from: number;
  to: number; // the row that gives it up; the number of rows = none does
  lane: number; // of bars side by side in its thread
}

export interface Known {
  variable: string;
  value: string;
  row: number; // that set it, or read it first
}

const BLOCK = 512; // rows that share a list of the spans over them

export class Run {
  readonly threads: string[];
  readonly length: number;
  readonly decidingRows: number[] = [];
  readonly life: number[];
  private readonly texts: string[];
  private readonly step: Int32Array;
  private readonly thread: Int32Array;
  private readonly what: Int32Array;
  private readonly value: Int32Array;
  private readonly note: Int32Array;
  private readonly place: Int32Array;
  private readonly marks: Int32Array;
  private readonly back: Int32Array;
  private readonly file: Int32Array;
  private readonly line: Int32Array;
  private readonly func: Int32Array;
  private readonly source: Int32Array;
  private readonly changeRow: Int32Array;
  private readonly changed: Int32Array;
  private readonly changedTo: Int32Array;
  private readonly spansOver: Span[][] = [];
  // Rows whose arrow begins at one: the last of them, and ahead of each the one before; -1 = none.
  private readonly lastSeer: Int32Array;
  private readonly seerBefore: Int32Array;

  constructor(raw: Raw) {
    this.threads = raw.threads;
    this.texts = raw.texts;
    this.step = summed(spread(raw.steps.step));
    this.thread = spread(raw.steps.thread);
    this.what = spread(raw.steps.what);
    this.value = spread(raw.steps.value);
    this.note = spread(raw.steps.note);
    this.place = spread(raw.steps.place);
    this.marks = spread(raw.steps.marks);
    this.back = spread(raw.steps.back);
    this.file = spread(raw.places.file);
    this.line = spread(raw.places.line);
    this.func = spread(raw.places.function);
    this.source = spread(raw.places.source);
    this.changeRow = summed(spread(raw.values.rows));
    this.changed = spread(raw.values.variable);
    this.changedTo = spread(raw.values.value);
    this.length = this.step.length;
    this.life = [...spread(raw.life.row)];
    this.lastSeer = new Int32Array(this.length).fill(-1);
    this.seerBefore = new Int32Array(this.length).fill(-1);
    for (let i = 0; i < this.length; ++i) {
      if ((this.marks[i] ?? 0) & DECIDES) this.decidingRows.push(i);
      const from = i - (this.back[i] ?? 0);
      if (from === i) continue;
      this.seerBefore[i] = this.lastSeer[from] ?? -1;
      this.lastSeer[from] = i;
    }
    this.placeSpans(raw);
  }

  static read(index: number): Run | null {
    const text = document.getElementById(`run-${index}`)?.textContent;
    return text ? new Run(JSON.parse(text) as Raw) : null;
  }

  row(index: number): Row {
    const place = this.place[index] ?? 0;
    const text = (column: Int32Array, at: number) => this.texts[column[at] ?? 0] ?? "";
    const known = text(this.value, index);
    const value = known && ` = ${known}`;
    const back = this.back[index] ?? 0;
    return {
      index,
      step: this.step[index] ?? -1,
      thread: this.threadOf(index),
      text: text(this.what, index) + value,
      value,
      note: text(this.note, index),
      file: text(this.file, place),
      line: this.line[place] ?? 0,
      function: text(this.func, place),
      source: text(this.source, place),
      marks: this.marks[index] ?? 0,
      from: back === 0 ? -1 : index - back,
    };
  }

  threadOf(index: number): number {
    return this.thread[index] ?? 0;
  }

  // Rows whose arrow begins at this one.
  seenBy(index: number): number[] {
    const seers: number[] = [];
    for (let i = this.lastSeer[index] ?? -1; i >= 0 && seers.length < 100; i = this.seerBefore[i] ?? -1) {
      seers.unshift(i);
    }
    return seers;
  }

  // The first row from which on there is no way back; -1 = none.
  noReturn(): number {
    return this.marks.findIndex((marks) => (marks & NO_RETURN) !== 0);
  }

  // Locks that are held somewhere in these rows.
  spans(first: number, last: number): Span[] {
    const found = new Set<Span>();
    const end = Math.floor(last / BLOCK);
    for (let block = Math.floor(first / BLOCK); block <= end; ++block) {
      for (const span of this.spansOver[block] ?? []) {
        if (span.from <= last && span.to >= first) found.add(span);
      }
    }
    return [...found];
  }

  heldAt(index: number): Span[] {
    return this.spans(index, index).filter((span) => span.from <= index && index < span.to);
  }

  // The last values that are known after a row, the newest first.
  valuesAt(index: number, most: number): Known[] {
    let at = upperBound(this.changeRow, index) - 1;
    const known = new Map<number, Known>();
    const farthest = Math.max(0, at - 50_000);
    for (; at >= farthest && known.size < most; --at) {
      const variable = this.changed[at] ?? 0;
      if (known.has(variable)) continue;
      const row = this.changeRow[at] ?? 0;
      const value = this.changedTo[at] || this.value[row] || 0; // 0: as the row says
      known.set(variable, { variable: this.texts[variable] ?? "", value: this.texts[value] ?? "", row });
    }
    return [...known.values()];
  }

  private placeSpans(raw: Raw): void {
    const [thread, lock, begin, rows] =
      [raw.locks.thread, raw.locks.lock, raw.locks.from, raw.locks.rows].map(spread) as
        [Int32Array, Int32Array, Int32Array, Int32Array];
    const spans: Span[] = [...begin].map((from, i) => ({
      thread: thread[i] ?? 0,
      lock: this.texts[lock[i] ?? 0] ?? "",
      from,
      to: from + (rows[i] ?? 0),
      lane: 0,
    }));
    spans.sort((a, b) => a.from - b.from);
    const lanes = new Map<number, number[]>(); // by thread: where each ends
    for (const span of spans) {
      const ends = lanes.get(span.thread) ?? [];
      lanes.set(span.thread, ends);
      const free = ends.findIndex((end) => end <= span.from);
      span.lane = free < 0 ? ends.length : free;
      ends[span.lane] = span.to;
      const last = Math.floor(Math.min(span.to, this.length) / BLOCK);
      for (let block = Math.floor(span.from / BLOCK); block <= last; ++block) {
        (this.spansOver[block] ??= []).push(span);
      }
    }
  }
}

// How many of the ascending numbers are at most `value`.
export function upperBound(numbers: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
