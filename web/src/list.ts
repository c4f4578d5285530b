// Rows of equal height, of which only those that can be seen exist: a million
// cost as much as a screenful. Higher than browsers can draw, scrolling goes by
// parts of the whole.

import { clear, el } from "./dom";

const HIGHEST = 8_000_000; // pixels; browsers differ from some 17 million on
const MARGIN = 8; // rows drawn ahead
const MOST_PRINTED = 2_000; // rows

export interface Drawn {
  first: number;
  last: number; // inclusive; below `first` = none
  top: number; // of the first, in pixels of the layer
}

export class List {
  readonly element: HTMLElement;
  private readonly spacer = el("div", { class: "list-space", role: "presentation" });
  private readonly layer = el("div", { class: "list-layer", role: "presentation" });
  private count = 0;
  private pending = false;
  private printing = false;

  // `draw` fills the layer with the rows from first to last.
  constructor(readonly rowHeight: number,
              private readonly draw: (layer: HTMLElement, drawn: Drawn) => void) {
    this.spacer.append(this.layer);
    this.element = el("div", { class: "list", role: "presentation" }, this.spacer);
    this.element.addEventListener("scroll", () => this.redrawSoon(), { passive: true });
    new ResizeObserver(() => this.redrawSoon()).observe(this.element);
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  setCount(count: number): void {
    this.count = count;
    this.spacer.style.height = `${Math.min(this.whole(), HIGHEST)}px`;
    this.redraw();
  }

  // Scrolls as little as it takes to see the row.
  show(index: number): void {
    const view = this.element.clientHeight;
    const top = index * this.rowHeight;
    const now = this.offset();
    let wanted = now;
    if (top < now) wanted = top - this.rowHeight;
    if (top + 2 * this.rowHeight > now + view) wanted = top + 2 * this.rowHeight - view;
    if (wanted === now) return;
    const room = Math.max(1, this.whole() - view);
    const share = Math.max(0, Math.min(1, wanted / room));
    this.element.scrollTop = share * Math.max(0, this.drawnHeight() - view);
    this.redraw();
  }

  redraw(): void {
    this.pending = false;
    const view = this.printing ? this.whole() : this.element.clientHeight;
    const offset = this.printing ? 0 : this.offset();
    const first = Math.max(0, Math.floor(offset / this.rowHeight) - MARGIN);
    let last = Math.min(this.count - 1, Math.ceil((offset + view) / this.rowHeight) + MARGIN);
    if (this.printing) last = Math.min(last, MOST_PRINTED - 1);
    const shift = this.printing ? 0 : this.element.scrollTop - offset;
    clear(this.layer);
    this.layer.style.transform = `translateY(${shift + first * this.rowHeight}px)`;
    this.layer.style.height = `${Math.max(0, last - first + 1) * this.rowHeight}px`;
    this.draw(this.layer, { first, last, top: first * this.rowHeight });
  }

  private redrawSoon(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.redraw());
  }

  private print(on: boolean): void {
    this.printing = on;
    this.element.classList.toggle("printing", on);
    this.redraw();
  }

  private whole(): number {
    return this.count * this.rowHeight;
  }
  private drawnHeight(): number {
    return Math.min(this.whole(), HIGHEST);
  }

  // Where the view begins, in pixels of the whole.
  private offset(): number {
    const view = this.element.clientHeight;
    const room = this.drawnHeight() - view;
    if (room <= 0) return 0;
    return (this.element.scrollTop / room) * Math.max(0, this.whole() - view);
  }
}
