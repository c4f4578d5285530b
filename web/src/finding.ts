// All about one finding.

import { counted, el, section } from "./dom";
import { waitsGraph } from "./graph";
import { Interleaving } from "./interleaving";
import type { Count, Finding, Orders, ThreadState } from "./model";
import { Run } from "./run";

export function findingView(finding: Finding, run: Run | null): HTMLElement {
  const view = el("article", { class: "finding" },
    el("header", { class: "finding-head" },
      finding.status !== "recorded" && el("p", { class: "badges" }, badge(finding.severity, finding.severity),
        badge(finding.verdict), badge(finding.status),
        el("span", { class: "muted" }, `finding ${finding.name} of ${finding.program}`)),
      el("h1", {}, `${finding.title}: ${finding.message}`),
      finding.why && el("p", { class: "why" }, finding.why),
      finding.always && el("p", { class: "always" },
        `Every schedule that was tried fails like this: ${finding.always}.`)));
  if (run && run.length > 0) {
    view.append(section("What happened, in this order", new Interleaving(finding, run, legend()).element));
  }
  const graph = finding.waits.length ? waitsGraph(finding.waits) : null;
  if (graph) view.append(section("Who waits for whom", graph));
  if (run && run.life.length > 1) view.append(section("The block's life", blockLife(run)));
  if (finding.orders) view.append(section("Which orders are enough", orders(finding.orders)));
  if (finding.status !== "recorded") view.append(section("How it was found", lines([...finding.details, ...finding.facts]),
    finding.command && el("p", {}, "command: ", el("code", {}, finding.command)),
    finding.times > 0 && el("p", { class: "muted" },
      `seen ${counted(finding.times, "time")} in ${counted(finding.campaigns, "campaign")}`)));
  if (finding.commands.length) {
    view.append(section("What to do next", ...finding.commands.map((command) =>
      el("pre", { class: "command" }, command))));
  }
  if (finding.threads.length) view.append(section("Threads at the end", ...finding.threads.map(stack)));
  view.append(...output("Standard output", finding.output), ...output("Standard error", finding.error));
  return view;
}

export function badge(text: string, kind = ""): HTMLElement {
  return el("span", { class: `badge ${kind}` }, text);
}

function legend(): HTMLElement {
  return el("p", { class: "legend muted" },
    el("span", { class: "key conflicts" }, "in each other's way"), el("span", { class: "key no-return" }, "point of no return"),
    el("span", { class: "key failed" }, "what went wrong"), el("span", { class: "key lock-key" }, "lock held"),
    "→ reads from · ⇢ overwrites unseen · keys: j k step, n next deciding, f full, / filter, Home End");
}

function lines(texts: string[]): HTMLElement {
  return el("ul", { class: "plain" }, ...texts.map((text) => el("li", {}, text)));
}

function blockLife(run: Run): HTMLElement {
  const most = 40;
  return el("ol", { class: "life" }, ...run.life.slice(0, most).map((index) => {
    const row = run.row(index);
    return el("li", {}, el("b", {}, `step ${row.step}`), ` ${run.threads[row.thread]}: ${row.text} `,
      el("span", { class: "muted" }, row.file && `${row.file}:${row.line}`));
  }));
}

function count(value: Count | null): string {
  return value ? `${value.failed} of ${value.tried}` : "not possible";
}

function orders(all: Orders): HTMLElement {
  const row = (cells: string[], tag: "th" | "td") => el("tr", {}, ...cells.map((cell) => el(tag, {}, cell)));
  return el("div", {},
    el("p", {}, `With all of them forced, ${count(all.all)} executions fail; with none, ${count(all.none)}.`),
    el("div", { class: "scroll" }, el("table", { class: "orders" },
      el("thead", {}, row(["order", "without it fail", "turned around fail"], "th")),
      el("tbody", {}, ...all.edges.map((edge) =>
        row([edge.text, count(edge.released), count(edge.reversed)], "td"))))));
}

function stack(state: ThreadState): HTMLElement {
  return el("details", { open: state.at_fault || state.doing !== "", class: "stack" },
    el("summary", {}, el("b", {}, state.thread), state.at_fault && " ", state.at_fault && badge("at fault", "high"),
       state.doing && el("span", {}, ` ${state.doing}`)),
    el("ol", { start: 0 }, ...state.frames.map((frame) =>
      el("li", {}, el("code", {}, frame.function || "?"),
         el("span", { class: "muted" }, frame.file && ` ${frame.file}:${frame.line}`)))));
}

function output(title: string, text: string): HTMLElement[] {
  if (!text.trim()) return [];
  return [section(title, el("pre", { class: "output", tabindex: 0 }, text))];
}
