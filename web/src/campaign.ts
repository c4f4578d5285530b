// One campaign: what was tried, how it grew; two of them side by side; and the
// source with what was tested of it.

import { counted, el, grouped, section, shortFile } from "./dom";
import { growth } from "./graph";
import type { Campaign, Coverage, CoverageLine, Model, Share } from "./model";
import { coloured } from "./syntax";

export function campaignView(model: Model, index: number): HTMLElement | null {
  const campaign = model.campaigns[index];
  if (!campaign) return null;
  const view = el("article", {}, el("h1", {}, `${campaign.program}, ${campaign.started}`), facts(campaign));
  const charts = el("div", { class: "charts" });
  if (campaign.points.length > 1) {
    charts.append(growth(campaign.points.map((point) => [point[0], point[1]]), "executions", "behaviours"),
                  growth(rates(campaign), "seconds", "executions per second"));
  }
  view.append(charts);
  const shares = (campaign.result?.shares ?? []).filter((share) => share.executions > 0);
  if (shares.length) view.append(section("What was tried", sharesTable(shares)));
  const others = model.campaigns.map((other, i) => ({ other, i })).filter(({ i }) => i !== index);
  if (others.length) {
    view.append(section("Compare with", el("ul", { class: "plain" }, ...others.slice(0, 20).map(({ other, i }) =>
      el("li", {}, el("a", { href: `#/compare/${index}/${i}` }, `${other.program}, ${other.started}`))))));
  }
  return view;
}

function facts(campaign: Campaign): HTMLElement {
  const result = campaign.result;
  const rows: [string, string][] = [
    ["command", campaign.command],
    ["executions", grouped(campaign.executions)],
    ["failed", grouped(campaign.failed)],
    ["cut short", grouped(campaign.cut)],
    ["seconds", (result?.seconds ?? 0).toFixed(1)],
    ["per second", Math.round(result?.schedules_per_second ?? 0).toLocaleString("en")],
    ["behaviours", grouped(result?.behaviours ?? 0)],
    ["last new one in", grouped(result?.last_new_behaviour ?? 0)],
    ["predicted, realised", `${grouped(result?.predicted ?? 0)}, ${grouped(result?.realised ?? 0)}`],
    ["findings", grouped(result?.findings?.length ?? 0)],
    ["ended", campaign.ending || "under way"],
    ["unknown, since", result?.reason ?? ""],
    ["build", campaign.build.slice(0, 16)],
  ];
  return el("dl", { class: "facts" }, ...rows.filter(([, value]) => value).flatMap(([name, value]) =>
    [el("dt", {}, name), el("dd", {}, value)]));
}

// Between one point and the next.
function rates(campaign: Campaign): [number, number][] {
  const all: [number, number][] = [];
  for (let i = 1; i < campaign.points.length; ++i) {
    const [before, now] = [campaign.points[i - 1], campaign.points[i]];
    if (!before || !now || now[2] <= before[2]) continue;
    all.push([now[2], (now[0] - before[0]) / (now[2] - before[2])]);
  }
  return all;
}

function sharesTable(shares: Share[]): HTMLElement {
  const sum = Math.max(1, shares.reduce((all, share) => all + share.executions, 0));
  return el("table", { class: "shares" },
    el("thead", {}, el("tr", {}, ...["strategy", "executions", "share", "new behaviours"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...shares.map((share) => el("tr", {},
      el("th", { scope: "row" }, share.strategy), el("td", { class: "number" }, grouped(share.executions)),
      el("td", {}, el("meter", { min: 0, max: sum, value: share.executions, "aria-label": `${share.strategy}'s share` })),
      el("td", { class: "number" }, grouped(share.earned))))));
}

// Before and after a change: figures side by side, findings of one only.
export function compareView(model: Model, first: number, second: number): HTMLElement | null {
  const [a, b] = [model.campaigns[first], model.campaigns[second]];
  if (!a || !b) return null;
  const row = (name: string, value: (campaign: Campaign) => number) => {
    const change = value(b) - value(a);
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, grouped(value(a))),
      el("td", { class: "number" }, grouped(value(b))),
      el("td", { class: "number" }, `${change > 0 ? "+" : ""}${grouped(change)}`));
  };
  const messages = (campaign: Campaign) => new Set((campaign.result?.findings ?? []).map((each) => each.message));
  const only = (one: Set<string>, other: Set<string>) => [...one].filter((message) => !other.has(message));
  const list = (texts: string[]) => texts.length
    ? el("ul", {}, ...texts.map((text) => el("li", {}, text))) : el("p", { class: "muted" }, "none");
  const [ofA, ofB] = [messages(a), messages(b)];
  return el("article", {}, el("h1", {}, "Two campaigns"),
    el("table", { class: "compare" },
      el("thead", {}, el("tr", {}, ...["", `${a.program}, ${a.started}`, `${b.program}, ${b.started}`, "change"].map((name) =>
        el("th", { scope: "col" }, name)))),
      el("tbody", {}, row("executions", (each) => each.executions), row("failed", (each) => each.failed),
        row("cut short", (each) => each.cut), row("behaviours", (each) => each.result?.behaviours ?? 0),
        row("per second", (each) => Math.round(each.result?.schedules_per_second ?? 0)),
        row("findings", (each) => each.result?.findings?.length ?? 0))),
    section("Findings of the first only", list(only(ofA, ofB))),
    section("Findings of the second only", list(only(ofB, ofA))),
    section("Findings of both", list([...ofA].filter((message) => ofB.has(message)))));
}

export function coverageView(model: Model, index: number): HTMLElement | null {
  const coverage = model.coverage[index];
  if (!coverage) return null;
  return el("article", {}, el("h1", {}, `Coverage of ${coverage.program}`),
    el("p", {}, `${counted(coverage.executions, "execution")} watched: ${grouped(coverage.all.exposed)} interleavings of accesses `
      + `tested, ${grouped(coverage.all.open)} known and not, ${grouped(coverage.all.failed)} tried in vain.`),
    coverage.estimate && el("p", {}, `Ten more minutes would bring about ${Math.round(coverage.estimate.ten_minutes)}.`),
    coverage.growth.length > 1 && growth(coverage.growth.map((point) => [point.executions, point.exposed]),
                                         "executions", "interleavings tested"),
    ...files(coverage, model.sources));
}

function files(coverage: Coverage, sources: Record<string, string[]>): HTMLElement[] {
  const byFile = new Map<string, CoverageLine[]>();
  for (const line of coverage.lines) byFile.set(line.file, [...(byFile.get(line.file) ?? []), line]);
  return [...byFile].map(([file, lines]) => section(shortFile(file) || "?",
    el("p", { class: "muted" }, file), annotated(lines, sources[file] ?? [])));
}

const CONTEXT = 2; // lines around one with pairs

function annotated(lines: CoverageLine[], source: string[]): HTMLElement {
  const marked = new Map(lines.map((line) => [line.line, line]));
  const shown = new Set<number>();
  for (const line of marked.keys()) {
    for (let near = line - CONTEXT; near <= line + CONTEXT; ++near) {
      if (marked.has(near) || (near >= 1 && near <= source.length)) shown.add(near);
    }
  }
  return el("div", { class: "annotated scroll" }, ...[...shown].sort((a, b) => a - b).map((number) => {
    const line = marked.get(number);
    const open = line ? line.pairs.length - line.tested : 0;
    const kind = !line ? "" : open === 0 ? "tested" : line.tested ? "partly" : "untested";
    const title = line?.pairs.map((pair) => `${pair.mine} here, ${pair.theirs} in line ${pair.other}, `
      + `${pair.here_first ? "this one first" : "that one first"}: ${pair.exposures ? `seen ${pair.exposures} times` : "untested"}`).join("\n");
    return el("div", { class: `line ${kind}`, title }, el("span", { class: "number" }, number),
      el("span", { class: "tally" }, line ? `${line.tested}/${line.pairs.length}` : ""), coloured(source[number - 1] ?? ""));
  }));
}
