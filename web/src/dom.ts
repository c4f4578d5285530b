// Elements from text. The only file that makes elements, and it never takes
// markup: what a program has printed cannot become part of the page.

type Value = string | number | boolean | undefined | ((event: Event) => void);
export type Child = Node | string | number | null | undefined | false;

// `on…` are listeners; a value that is undefined or false leaves it out.
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, Value> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAll(element, attributes);
  add(element, ...children);
  return element;
}

export function svg(
  tag: string, attributes: Record<string, Value> = {}, ...children: Child[]
): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(element, attributes);
  add(element, ...children);
  return element;
}

function setAll(element: Element, attributes: Record<string, Value>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

export function add(element: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

export function clear(element: Element): void {
  element.replaceChildren();
}

export function section(title: string, ...children: Child[]): HTMLElement {
  return el("section", { class: "part" }, el("h2", {}, title), ...children);
}

// A number as people read it.
export function grouped(value: number): string {
  return value.toLocaleString("en");
}
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? "" : "s"}`;
}

// "dir/app.c" as "app.c".
export function shortFile(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
