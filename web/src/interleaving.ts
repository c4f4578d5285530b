// The interleaving: a column for each thread, arrows for what is read from whom,
// bars for locks, and beside it what was known at the step that one stands on.

import { add, clear, counted, el, grouped, shortFile, svg } from "./dom";
import { Drawn, List } from "./list";
import type { Finding } from "./model";
import { CONFLICTS, DECIDES, FAILED, NO_RETURN, Row, Run, SEES, upperBound } from "./run";
import { coloured } from "./syntax";

const ROW = 26; // pixels
const STEP = 72;
const GUTTER = 24; // of a thread's column: bars and the ends of arrows
const PLACE = 170;
const LANE = 5;
const MOST_LANES = 3;
const MOST_VALUES = 24;

type Widths = { thread: number; source: number };

export class Interleaving {
  readonly element: HTMLElement;
  private rows: number[] | null; // what is shown; null = all
  private full: boolean;
  private wanted = ""; // the filter
  private selected = 0; // a place in what is shown
  private widths: Widths = { thread: 200, source: 300 };
  private readonly head = el("div", { class: "run-head", role: "row" });
  private readonly grid: HTMLElement;
  private readonly state = el("aside", { class: "state", "aria-live": "polite", "aria-label": "At this step" });
  private readonly list = new List(ROW, (layer, drawn) => this.draw(layer, drawn));
  private readonly fullButton: HTMLButtonElement;
  private readonly filter: HTMLInputElement;
  private readonly count = el("span", { class: "muted" });

  constructor(private readonly finding: Finding, private readonly run: Run, legend: HTMLElement) {
    this.full = run.decidingRows.length === run.length;
    this.rows = this.full ? null : run.decidingRows;
    this.fullButton = el("button", { type: "button", onclick: () => this.setFull(!this.full) });
    this.filter = el("input", {
      type: "search", placeholder: "filter steps", "aria-label": "Filter steps", class: "filter",
      oninput: () => this.setFilter(this.filter.value),
    });
    this.grid = el("div", {
      class: "run", role: "grid", tabindex: 0, "aria-label": "Interleaving", "aria-colcount": run.threads.length + 3,
      onkeydown: (event) => this.onKey(event as KeyboardEvent),
    }, this.head, this.list.element);
    const button = (text: string, label: string, action: () => void) =>
      el("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    const bar = el("div", { class: "toolbar", role: "toolbar", "aria-label": "Stepping" },
      button("«", "First step (Home)", () => this.select(0)),
      button("‹", "Step back (k)", () => this.select(this.selected - 1)),
      button("›", "Step (j)", () => this.select(this.selected + 1)),
      button("»", "Last step (End)", () => this.select(this.shown - 1)),
      button("★", "Next deciding step (n)", () => this.nextDeciding(1)),
      run.decidingRows.length < run.length && this.fullButton, this.filter, this.count);
    this.element = el("div", { class: "interleaving" }, bar,
                      el("div", { class: "split" }, el("div", { class: "run-side" }, this.grid, legend), this.state));
    new ResizeObserver(() => this.measure()).observe(this.grid);
    this.refresh(0);
    const place = this.placeOf(run.noReturn());
    if (place >= 0) this.select(place);
  }

  private get shown(): number {
    return this.rows ? this.rows.length : this.run.length;
  }
  private rowAt(place: number): number {
    return this.rows ? this.rows[place] ?? 0 : place;
  }
  // -1: it is not shown.
  private placeOf(row: number): number {
    if (!this.rows) return row;
    const place = upperBound(this.rows, row) - 1;
    return this.rows[place] === row ? place : -1;
  }

  private setFull(full: boolean): void {
    const row = this.rowAt(this.selected);
    this.full = full;
    this.refresh(row);
  }

  private setFilter(text: string): void {
    const row = this.rowAt(this.selected);
    this.wanted = text.trim().toLowerCase();
    this.refresh(row);
  }

  // What is shown has changed; stays as near to `row` as it can.
  private refresh(row: number): void {
    const base = this.full ? null : this.run.decidingRows;
    this.rows = this.wanted ? this.matching(base) : base;
    this.fullButton.textContent = this.full ? "minimal" : "full";
    this.fullButton.title = this.full ? "Only the steps that decide (f)" : "Every step that is kept (f)";
    this.fullButton.setAttribute("aria-pressed", String(this.full));
    this.count.textContent = `${grouped(this.shown)} of ${counted(this.run.length, "step")}`;
    this.grid.setAttribute("aria-rowcount", String(this.shown));
    this.grid.style.setProperty("--rows", String(Math.min(this.shown, 22)));
    const place = this.rows ? Math.max(0, upperBound(this.rows, row) - 1) : row;
    this.list.setCount(this.shown);
    this.select(place);
  }

  private matching(base: number[] | null): number[] {
    const found: number[] = [];
    const count = base ? base.length : this.run.length;
    for (let i = 0; i < count; ++i) {
      const index = base ? base[i] ?? 0 : i;
      const row = this.run.row(index);
      const thread = this.run.threads[row.thread] ?? "";
      const text = `${row.text} ${row.note} ${row.function} ${shortFile(row.file)}:${row.line} ${thread}`;
      if (text.toLowerCase().includes(this.wanted)) found.push(index);
    }
    return found;
  }

  private select(place: number): void {
    this.selected = Math.max(0, Math.min(place, this.shown - 1));
    this.list.show(this.selected);
    this.list.redraw();
    this.drawState();
  }

  // A row that may not be shown now.
  private jump(row: number): void {
    if (this.placeOf(row) < 0) {
      this.wanted = this.filter.value = "";
      this.full = this.full || !this.run.decidingRows.includes(row);
      this.refresh(row);
    }
    this.select(this.placeOf(row));
  }

  private nextDeciding(step: 1 | -1): void {
    for (let place = this.selected + step; place >= 0 && place < this.shown; place += step) {
      if (this.run.row(this.rowAt(place)).marks & DECIDES) return this.select(place);
    }
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.list.element.clientHeight / ROW) - 1);
    const actions: Record<string, () => void> = {
      ArrowDown: () => this.select(this.selected + 1), j: () => this.select(this.selected + 1),
      ArrowUp: () => this.select(this.selected - 1), k: () => this.select(this.selected - 1),
      PageDown: () => this.select(this.selected + page), PageUp: () => this.select(this.selected - page),
      Home: () => this.select(0), End: () => this.select(this.shown - 1),
      n: () => this.nextDeciding(1), N: () => this.nextDeciding(-1),
      f: () => this.setFull(!this.full), "/": () => this.filter.focus(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private measure(): void {
    const room = this.list.element.clientWidth - STEP - PLACE;
    const threads = this.run.threads.length;
    const thread = Math.max(190, Math.min(330, Math.floor((room * 0.68) / threads)));
    this.widths = { thread, source: Math.max(240, room - thread * threads) };
    const columns = `${STEP}px repeat(${threads}, ${thread}px) ${PLACE}px ${this.widths.source}px`;
    this.grid.style.setProperty("--columns", columns);
    this.drawHead();
    this.list.redraw();
  }

  private drawHead(): void {
    clear(this.head);
    const head = (text: string, kind = "") =>
      el("div", { role: "columnheader", class: `head ${kind}`, title: text }, text);
    add(this.head, head("step", "step"), ...this.run.threads.map((thread) => head(thread, "thread")),
        head("where"), head("source"));
  }

  private left(thread: number): number {
    return STEP + thread * this.widths.thread;
  }

  private draw(layer: HTMLElement, drawn: Drawn): void {
    const width = this.left(this.run.threads.length) + PLACE + this.widths.source;
    layer.style.width = `${width}px`;
    for (let place = drawn.first; place <= drawn.last; ++place) {
      layer.append(this.drawRow(this.run.row(this.rowAt(place)), place));
    }
    if (drawn.last >= drawn.first) {
      this.drawLocks(layer, drawn);
      this.drawArrows(layer, drawn, width);
    }
  }

  private drawRow(row: Row, place: number): HTMLElement {
    const classes = ["row"];
    if (row.marks & CONFLICTS) classes.push("conflicts");
    if (row.marks & FAILED) classes.push("failed");
    if (row.marks & NO_RETURN) classes.push("no-return");
    if (row.marks & DECIDES && this.run.decidingRows.length < this.run.length) classes.push("decides");
    if (place === this.selected) classes.push("selected");
    const text = el("div", { role: "gridcell", class: "cell", title: this.titleOf(row) },
      el("span", {}, row.value ? row.text.slice(0, -row.value.length) : row.text),
      row.value && el("span", { class: "value" }, row.value),
      this.noteOf(row) && el("span", { class: "note" }, ` ${this.noteOf(row)}`));
    // The other threads' cells are empty: a long text may lie over them.
    text.style.gridColumn = `${row.thread + 2} / ${this.run.threads.length + 2}`;
    const at = el("div", { role: "gridcell", class: "place", title: `${row.file}:${row.line} ${row.function}` },
                  row.file && `${shortFile(row.file)}:${row.line}`);
    at.style.gridColumn = String(this.run.threads.length + 2);
    const source = el("div", { role: "gridcell", class: "source" }, coloured(row.source));
    source.style.gridColumn = String(this.run.threads.length + 3);
    return el("div", {
      role: "row", class: classes.join(" "), "aria-rowindex": place + 1, "aria-selected": String(place === this.selected),
      "data-row": row.index, onclick: () => this.select(place),
    }, el("div", { role: "gridcell", class: "step" }, row.step >= 0 ? String(row.step) : "…"), text, at, source);
  }

  private noteOf(row: Row): string {
    return (row.marks & NO_RETURN && !row.note ? "point of no return" : row.note);
  }
  private titleOf(row: Row): string {
    return [row.text, row.note, row.function].filter(Boolean).join("\n");
  }

  // Bars from where a lock is taken to where it is given up.
  private drawLocks(layer: HTMLElement, drawn: Drawn): void {
    const first = this.rowAt(drawn.first);
    const last = this.rowAt(drawn.last);
    for (const span of this.run.spans(first, last)) {
      const from = this.placeAtOrAfter(Math.max(span.from, first));
      const to = span.to > last ? drawn.last + 1 : this.placeAtOrAfter(span.to);
      if (to < from) continue;
      const bar = el("div", { class: "lock", title: `${this.run.threads[span.thread]} holds ${span.lock}` });
      bar.style.left = `${this.left(span.thread) + 3 + Math.min(span.lane, MOST_LANES - 1) * LANE}px`;
      bar.style.top = `${(from - drawn.first) * ROW + (span.from >= first ? ROW / 2 : 0)}px`;
      bar.style.height = `${Math.max(6, (to - from) * ROW - (span.from >= first ? 0 : -ROW / 2))}px`;
      layer.append(bar);
    }
  }

  private placeAtOrAfter(row: number): number {
    return this.rows ? upperBound(this.rows, row - 1) : row;
  }

  private drawArrows(layer: HTMLElement, drawn: Drawn, width: number): void {
    const picture = svg("svg", {
      class: "arrows", width, height: (drawn.last - drawn.first + 1) * ROW, "aria-hidden": true,
    });
    for (let place = drawn.first; place <= drawn.last; ++place) {
      const row = this.rowAt(place);
      const from = this.run.row(row).from;
      if (from >= 0) this.drawArrow(picture, drawn, from, row);
      for (const target of this.run.seenBy(row)) {
        if (this.placeOf(target) > drawn.last) this.drawArrow(picture, drawn, row, target);
      }
    }
    layer.append(picture);
  }

  private drawArrow(picture: SVGElement, drawn: Drawn, from: number, to: number): void {
    const [fromPlace, toPlace] = [this.placeOf(from), this.placeOf(to)];
    const [a, b] = [this.run.threadOf(from), this.run.threadOf(to)];
    if (fromPlace < 0 || toPlace < 0 || a === b) return;
    const right = a < b;
    const inner = (thread: number) => this.left(thread) + GUTTER - 4;
    const outer = (thread: number) => this.left(thread) + this.widths.thread - 6;
    const y = (place: number) => (place - drawn.first) * ROW + ROW / 2;
    const [x1, y1] = [right ? outer(a) : inner(a), y(fromPlace)];
    const [x2, y2] = [right ? inner(b) : outer(b), y(toPlace)];
    const bend = (right ? 1 : -1) * 22;
    const tip = right ? -7 : 7;
    const kind = this.run.row(to).marks & SEES ? "arrow" : "arrow over";
    add(picture,
        svg("path", { class: kind, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }),
        svg("polygon", { class: `${kind} tip`, points: `${x2},${y2} ${x2 + tip},${y2 - 4} ${x2 + tip},${y2 + 4}` }));
  }

  private drawState(): void {
    clear(this.state);
    if (this.shown === 0) {
      add(this.state, el("p", { class: "muted" }, "no step is like that"));
      return;
    }
    const row = this.run.row(this.rowAt(this.selected));
    const thread = this.run.threads[row.thread] ?? "";
    add(this.state,
      el("h3", {}, row.step >= 0 ? `step ${row.step}` : "never happened", " · ", thread),
      el("p", { class: "what" }, row.text), this.relations(row),
      row.marks & NO_RETURN ? el("p", { class: "badge-line" }, "Point of no return: from here on every order fails.") : null,
      this.sourceAround(row), this.lockTable(row), this.valueTable(row));
  }

  private relations(row: Row): HTMLElement | null {
    const link = (text: string, target: number) => {
      const other = this.run.row(target);
      return el("li", {}, el("button", { type: "button", class: "link", onclick: () => this.jump(target) },
        `${text} step ${other.step}`), ` ${this.run.threads[other.thread]}: ${other.text}`);
    };
    const items = this.run.seenBy(row.index).slice(0, 5)
      .map((target) => link(this.run.row(target).marks & SEES ? "seen by" : "see", target));
    if (row.from >= 0) {
      items.unshift(link(row.marks & SEES ? "sees" : row.note.replace(/ step \d+.*/, "") || "after", row.from));
    }
    const said = row.note.replace(/(; )?point of no return$/, "");
    if (items.length === 0 && said) items.push(el("li", {}, said));
    return items.length ? el("ul", { class: "relations" }, ...items) : null;
  }

  private sourceAround(row: Row): HTMLElement | null {
    const lines = this.finding.sources[row.file] ?? {};
    if (!row.file || (!lines[row.line] && !row.source)) {
      return row.function ? el("p", { class: "muted" }, `in ${row.function}`) : null;
    }
    const near = Object.keys(lines).map(Number).filter((line) => Math.abs(line - row.line) <= 6);
    if (!near.includes(row.line)) near.push(row.line);
    near.sort((a, b) => a - b);
    let before = 0;
    const body = near.map((line) => {
      const gap = before !== 0 && line > before + 1;
      before = line;
      return el("div", { class: `line${line === row.line ? " here" : ""}${gap ? " gap" : ""}` },
        el("span", { class: "number" }, line), coloured(lines[line] ?? row.source));
    });
    return el("div", { class: "around" }, el("div", { class: "muted" }, `${shortFile(row.file)} · ${row.function}`),
              ...body);
  }

  private lockTable(row: Row): HTMLElement {
    const held = this.run.heldAt(row.index);
    const items = held.map((span) => el("li", {},
      el("b", {}, this.run.threads[span.thread] ?? ""), ` holds ${span.lock}`,
      el("span", { class: "muted" }, ` since step ${this.run.row(span.from).step}`)));
    return el("div", {}, el("h4", {}, "Locks held"),
      items.length ? el("ul", { class: "plain" }, ...items) : el("p", { class: "muted" }, "none"));
  }

  private valueTable(row: Row): HTMLElement {
    const known = this.run.valuesAt(row.index, MOST_VALUES);
    const lines = known.map((value) => el("tr", { class: value.row === row.index ? "fresh" : "" },
      el("th", { scope: "row" }, value.variable), el("td", {}, value.value),
      el("td", { class: "muted" }, `step ${this.run.row(value.row).step}`)));
    return el("div", {}, el("h4", {}, "Values"),
      lines.length ? el("table", { class: "values" }, el("tbody", {}, ...lines))
                   : el("p", { class: "muted" }, "none is known yet"));
  }
}
