// Which view the address asks for, the colours, and, where the page is served,
// whether there is news.

import "./page.css";
import { campaignView, compareView, coverageView } from "./campaign";
import { clear, el } from "./dom";
import { findingView } from "./finding";
import { Model, readModel } from "./model";
import { overview } from "./overview";
import { Run } from "./run";

const NEWS_MS = 2_000;

const model = readModel();
const runs = new Map<number, Run | null>(); // by finding, once it was looked at
const main = el("main", { id: "main" });

function runOf(index: number): Run | null {
  if (!runs.has(index)) runs.set(index, Run.read(index));
  return runs.get(index) ?? null;
}

function viewOf(all: Model, parts: string[]): HTMLElement | null {
  const [kind, name, second] = parts;
  if (kind === "finding") {
    const index = all.findings.findIndex((finding) => finding.name === name);
    const finding = all.findings[index];
    return finding ? findingView(finding, runOf(index)) : null;
  }
  if (kind === "campaign") return campaignView(all, Number(name));
  if (kind === "compare") return compareView(all, Number(name), Number(second));
  if (kind === "coverage") return coverageView(all, Number(name));
  return overview(all);
}

function route(): string[] {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  // With one finding there is nothing to choose.
  const first = model.findings[0];
  const alone = parts.length === 0 && model.findings.length === 1 && model.campaigns.length === 0;
  return alone && first ? ["finding", first.name] : parts;
}

function show(): void {
  clear(main);
  main.append(viewOf(model, route()) ?? el("p", {}, "There is no such thing in this report."));
  window.scrollTo(0, 0);
  (main.querySelector(".run") as HTMLElement | null)?.focus({ preventScroll: true });
}

function setColours(colours: string): void {
  document.documentElement.dataset["colours"] = colours;
}

function colourButton(): HTMLElement {
  return el("button", {
    type: "button", class: "colours", "aria-label": "Dark or light", title: "Dark or light",
    onclick: () => {
      const set = document.documentElement.dataset["colours"];
      const dark = set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      setColours(dark ? "light" : "dark");
    },
  }, "◐");
}

// A served page begins again when what it shows has grown; not under the eyes of
// somebody who steps through a finding.
async function follow(): Promise<void> {
  const news = async () => (await fetch("news", { cache: "no-store" })).text();
  let known = "";
  try {
    known = await news();
  } catch {
    return;
  }
  setInterval(async () => {
    try {
      if (await news() !== known && route()[0] !== "finding") location.reload();
    } catch {
      document.body.classList.add("cut-off");
    }
  }, NEWS_MS);
}

const page = document.getElementById("page");
page?.append(
  el("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } }, "to the content"),
  el("nav", { class: "top", "aria-label": "Report" }, el("a", { href: "#/", class: "name" }, model.title),
     el("span", { class: "muted" }, `${model.made} · fairlead ${model.tool}`), colourButton()),
  main);
main.tabIndex = -1;
window.addEventListener("hashchange", show);
show();
if (model.live) void follow();
