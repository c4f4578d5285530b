// All findings, and what was run.

import { clear, counted, el, grouped, section } from "./dom";
import { badge } from "./finding";
import type { Campaign, Finding, Model } from "./model";

const SEVERITIES = ["high", "medium", "low", "info"];

export function overview(model: Model): HTMLElement {
  const view = el("div", {}, el("h1", {}, headline(model)));
  if (model.findings.length) view.append(findings(model.findings));
  if (model.campaigns.length) view.append(section("Campaigns", campaigns(model.campaigns)));
  if (model.coverage.length) {
    view.append(section("Coverage", el("ul", { class: "plain" }, ...model.coverage.map((coverage, i) =>
      el("li", {}, el("a", { href: `#/coverage/${i}` }, coverage.program),
        ` ${grouped(coverage.all.exposed)} interleavings tested, ${grouped(coverage.all.open)} left, `
        + `${grouped(coverage.all.failed)} tried in vain`)))));
  }
  if (!model.findings.length && !model.campaigns.length) {
    view.append(el("p", { class: "muted" }, "Nothing is kept here yet: fairlead test -- ./app"));
  }
  return view;
}

function headline(model: Model): string {
  const open = model.findings.filter((finding) => finding.status === "open" && !finding.predicted).length;
  return open ? counted(open, "open finding") : "No open findings";
}

function findings(all: Finding[]): HTMLElement {
  const body = el("tbody");
  const shown = el("span", { class: "muted", role: "status" });
  const text = el("input", { type: "search", placeholder: "filter", "aria-label": "Filter findings", class: "filter" });
  const severity = el("select", { "aria-label": "Severity" }, el("option", { value: "" }, "any severity"),
    ...SEVERITIES.map((word) => el("option", { value: word }, word)));
  const draw = () => {
    clear(body);
    const wanted = text.value.trim().toLowerCase();
    const rows = all.filter((finding) => (!severity.value || finding.severity === severity.value)
      && `${finding.name} ${finding.title} ${finding.message} ${finding.program} ${finding.why} ${finding.status} ${finding.verdict}`
        .toLowerCase().includes(wanted));
    body.append(...rows.map(findingRow));
    shown.textContent = `${grouped(rows.length)} of ${grouped(all.length)}`;
  };
  text.addEventListener("input", draw);
  severity.addEventListener("change", draw);
  draw();
  return section("Findings", el("div", { class: "toolbar" }, text, severity, shown),
    el("div", { class: "scroll" }, el("table", { class: "findings" },
      el("thead", {}, el("tr", {}, ...["", "severity", "what", "known", "seen"].map((name) => el("th", { scope: "col" }, name)))),
      body)));
}

function findingRow(finding: Finding): HTMLElement {
  return el("tr", { class: finding.status === "open" ? "" : "closed" },
    el("td", {}, finding.name), el("td", {}, badge(finding.severity, finding.severity)),
    el("td", {}, el("a", { href: `#/finding/${finding.name}` }, `${finding.title}: ${finding.message}`),
       finding.why && el("div", { class: "muted clip" }, finding.why)),
    el("td", {}, finding.predicted ? finding.verdict : `${finding.verdict}, ${finding.status}`),
    el("td", { class: "number" }, grouped(finding.times)));
}

export function campaigns(all: Campaign[]): HTMLElement {
  return el("div", { class: "scroll" }, el("table", { class: "campaigns" },
    el("thead", {}, el("tr", {}, ...["began", "program", "executions", "failed", "behaviours", "ended"].map((name) =>
      el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...all.map((campaign, i) => el("tr", {},
      el("td", {}, el("a", { href: `#/campaign/${i}` }, campaign.started)), el("td", {}, campaign.program),
      el("td", { class: "number" }, grouped(campaign.executions)), el("td", { class: "number" }, grouped(campaign.failed)),
      el("td", { class: "number" }, grouped(campaign.result?.behaviours ?? 0)),
      el("td", {}, campaign.ending || "under way"))))));
}
