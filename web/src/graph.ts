// Drawings: how something grew, and who waits for whom.

import { el, grouped, svg } from "./dom";
import type { Wait } from "./model";

// A line through the points, with the largest numbers at its axes.
export function growth(points: [number, number][], xName: string, yName: string): HTMLElement {
  const width = 460;
  const height = 150;
  const maxX = Math.max(1, ...points.map((point) => point[0]));
  const maxY = Math.max(1, ...points.map((point) => point[1]));
  const path = points
    .map(([x, y], i) => `${i ? "L" : "M"}${(x / maxX) * width} ${height - (y / maxY) * height}`)
    .join("");
  const picture = svg("svg", {
    viewBox: `-4 -6 ${width + 8} ${height + 12}`, class: "growth", role: "img",
    "aria-label": `${yName}: ${grouped(maxY)} after ${grouped(maxX)} ${xName}`,
  }, svg("path", { d: `M0 0V${height}H${width}`, class: "axis" }), svg("path", { d: path, class: "line" }));
  return el("figure", { class: "chart" }, picture,
            el("figcaption", {}, `${yName}: ${grouped(maxY)} · over ${grouped(Math.round(maxX))} ${xName}`));
}

// Threads in a circle, an arrow from who waits to who holds.
export function waitsGraph(waits: Wait[]): HTMLElement | null {
  const threads = [...new Set(waits.flatMap((wait) => [wait.thread, wait.holder]))].filter(Boolean);
  if (threads.length < 2) return null;
  const radius = 60 + threads.length * 16;
  const centre = radius + 40;
  const at = new Map(threads.map((thread, i) => {
    const angle = (2 * Math.PI * i) / threads.length - Math.PI / 2;
    return [thread, [centre * 1.6 + 1.5 * radius * Math.cos(angle), centre + radius * Math.sin(angle)] as const];
  }));
  const picture = svg("svg", {
    viewBox: `0 0 ${centre * 3.2} ${centre * 2}`, class: "waits", role: "img",
    "aria-label": waits.map((wait) => `${wait.thread} waits for ${wait.object}, held by ${wait.holder}`).join("; "),
  });
  for (const wait of waits) {
    const a = at.get(wait.thread);
    const b = at.get(wait.holder);
    if (!a || !b) continue;
    drawWait(picture, a, b, wait.object);
  }
  for (const [thread, [x, y]] of at) {
    picture.append(svg("g", {}, svg("ellipse", { cx: x, cy: y, rx: 62, ry: 20, class: "node" }),
                       svg("text", { x, y: y + 5, "text-anchor": "middle" }, shortened(thread, 16))));
  }
  return el("figure", { class: "chart" }, picture,
            el("figcaption", {}, "an arrow leads from a thread that waits to the one that holds what it waits for"));
}

function drawWait(picture: SVGElement, a: readonly [number, number], b: readonly [number, number],
                  object: string): void {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  // Bent to one side, so that two that wait for each other have two arrows.
  const [mx, my] = [(a[0] + b[0]) / 2 - (dy / length) * 34, (a[1] + b[1]) / 2 + (dx / length) * 34];
  const toward = Math.hypot(b[0] - mx, b[1] - my) || 1;
  const reach = 1 / Math.hypot((b[0] - mx) / toward / 64, (b[1] - my) / toward / 22);
  const end = [b[0] - ((b[0] - mx) / toward) * reach, b[1] - ((b[1] - my) / toward) * reach] as const;
  const angle = Math.atan2(end[1] - my, end[0] - mx);
  const corner = (turn: number) =>
    `${end[0] - 10 * Math.cos(angle + turn)},${end[1] - 10 * Math.sin(angle + turn)}`;
  picture.append(
    svg("path", { d: `M${a[0]} ${a[1]}Q${mx} ${my} ${end[0]} ${end[1]}`, class: "wait" }),
    svg("polygon", { points: `${end[0]},${end[1]} ${corner(0.4)} ${corner(-0.4)}`, class: "tip" }),
    svg("text", { x: mx, y: my, "text-anchor": "middle", class: "wait-object" }, shortened(object, 22)));
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
