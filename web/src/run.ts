// An interleaving: rows in columns of numbers, and what is known at each row.

export const DECIDES = 1;
export const CONFLICTS = 2;
export const FAILED = 4;
export const NO_RETURN = 8;
export const SEES = 16;

type Columns<K extends string> = Partial<Record<K, number[]>>;

interface Raw {
  threads: string[];
  texts: string[];
  steps: Columns<
    | "step" | "thread" | "what" | "value" | "note" | "file" | "line"
    | "function" | "source" | "marks" | "from"
  >;
  locks: Columns<"thread" | "lock" | "from" | "to">;
  values: Columns<"row" | "variable" | "value">;
  life: Columns<"row">;
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
  private readonly spansOver: Span[][] = [];
  private readonly arrowsTo = new Map<number, number[]>();

  constructor(private readonly raw: Raw) {
    this.threads = raw.threads;
    this.length = raw.steps.step?.length ?? 0;
    this.life = raw.life.row ?? [];
    const marks = raw.steps.marks ?? [];
    for (let i = 0; i < this.length; ++i) {
      if ((marks[i] ?? 0) & DECIDES) this.decidingRows.push(i);
      const from = raw.steps.from?.[i] ?? -1;
      if (from < 0) continue;
      const others = this.arrowsTo.get(from);
      if (others) others.push(i);
      else this.arrowsTo.set(from, [i]);
    }
    this.placeSpans();
  }

  static read(index: number): Run | null {
    const text = document.getElementById(`run-${index}`)?.textContent;
    return text ? new Run(JSON.parse(text) as Raw) : null;
  }

  row(index: number): Row {
    const { steps, texts } = this.raw;
    const text = (column?: number[]) => texts[column?.[index] ?? 0] ?? "";
    const value = text(steps.value);
    return {
      index,
      step: steps.step?.[index] ?? -1,
      thread: steps.thread?.[index] ?? 0,
      text: text(steps.what) + value,
      value,
      note: text(steps.note),
      file: text(steps.file),
      line: steps.line?.[index] ?? 0,
      function: text(steps.function),
      source: text(steps.source),
      marks: steps.marks?.[index] ?? 0,
      from: steps.from?.[index] ?? -1,
    };
  }

  threadOf(index: number): number {
    return this.raw.steps.thread?.[index] ?? 0;
  }

  // Rows whose arrow begins at this one.
  seenBy(index: number): number[] {
    return this.arrowsTo.get(index) ?? [];
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
    const { values, texts } = this.raw;
    const rows = values.row ?? [];
    let at = upperBound(rows, index) - 1;
    const known = new Map<number, Known>();
    const farthest = Math.max(0, at - 50_000);
    for (; at >= farthest && known.size < most; --at) {
      const variable = values.variable?.[at] ?? 0;
      if (known.has(variable)) continue;
      known.set(variable, {
        variable: texts[variable] ?? "",
        value: texts[values.value?.[at] ?? 0] ?? "",
        row: rows[at] ?? 0,
      });
    }
    return [...known.values()];
  }

  private placeSpans(): void {
    const { locks, texts } = this.raw;
    const spans: Span[] = (locks.from ?? []).map((from, i) => ({
      thread: locks.thread?.[i] ?? 0,
      lock: texts[locks.lock?.[i] ?? 0] ?? "",
      from,
      to: locks.to?.[i] ?? this.length,
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
export function upperBound(numbers: number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
