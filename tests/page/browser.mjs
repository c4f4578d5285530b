// Opens pages of `fairlead report` in a real browser, and looks.
//
// usage: node browser.mjs PLAYWRIGHT CHROMIUM DIRECTORY JOBS.json
//
// Each job is {name, url, file|, looks: [...], widths}. Prints one line of JSON
// for each: what was wrong. A request to anything but the page itself, an error
// of a script, and anything that text of the program did are always wrong.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , playwright, executablePath, directory, jobsFile] = process.argv;
const { chromium } = (await import(pathToFileURL(join(playwright, "index.js")).href)).default;
const jobs = JSON.parse(readFileSync(jobsFile, "utf8"));
const context = await chromium.launchPersistentContext(join(directory, "profile"), {
  executablePath, headless: true, viewport: { width: 1280, height: 900 },
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run"],
});
context.setDefaultTimeout(15_000);

const looks = {
  // The sentence and the interleaving are there, with the arrow and a value.
  async finding(page, check, job) {
    check(await page.locator("h1").innerText() !== "", "a sentence");
    const rows = await page.locator(".row").count();
    check(rows >= (job.rows ?? 2), `${rows} rows`);
    check(await page.locator(".row .value").count() > 0 || job.noValues, "values");
    if (job.arrows) check(await page.locator(".arrows path").count() >= job.arrows, "arrows");
    if (job.locks) check(await page.locator(".lock").count() >= job.locks, "lock bars");
    if (job.waits) check(await page.locator(".waits .wait").count() >= job.waits, "wait-for graph");
    for (const text of job.texts ?? []) {
      check((await page.locator("body").innerText()).includes(text), `text ${text}`);
    }
  },
  // Keys step, and the state beside it follows.
  async steps(page, check) {
    await page.locator(".run").focus();
    await page.keyboard.press("Home");
    const first = await page.locator(".state h3").innerText();
    await page.keyboard.press("j");
    const second = await page.locator(".state h3").innerText();
    check(first !== second, `j does not step: ${first}`);
    await page.keyboard.press("k");
    check(await page.locator(".state h3").innerText() === first, "k does not step back");
    await page.keyboard.press("End");
    check(await page.locator('.row[aria-selected="true"]').count() === 1, "one row is selected");
    check((await page.locator(".state").innerText()).includes("Locks held"), "locks at a step");
  },
  // Minimal and full, and the filter of steps.
  async switches(page, check) {
    const rows = () => page.locator(".run").getAttribute("aria-rowcount").then(Number);
    const minimal = await rows();
    await page.locator(".run").focus();
    await page.keyboard.press("f");
    const full = await rows();
    check(full > minimal, `full has ${full} rows, minimal ${minimal}`);
    await page.locator(".interleaving .filter").fill("write");
    const filtered = await rows();
    check(filtered > 0 && filtered < full, `the filter leaves ${filtered} of ${full}`);
    await page.locator(".interleaving .filter").fill("no such step");
    check(await rows() === 0, "a filter that nothing passes");
    check((await page.locator(".state").innerText()).includes("no step"), "says so");
  },
  // The list of findings, by text and severity, to one of them and back.
  async overview(page, check, job) {
    const rows = page.locator(".findings tbody tr");
    check(await rows.count() === job.findings, `${await rows.count()} findings`);
    await page.locator(".findings").waitFor();
    await page.locator('input[aria-label="Filter findings"]').fill(job.filter);
    check(await rows.count() === job.left, `the filter leaves ${await rows.count()}`);
    await rows.first().locator("a").click();
    await page.locator(".finding").waitFor();
    await page.goBack();
    await page.locator(".findings").waitFor();
    if (job.campaigns) {
      await page.locator(".campaigns a").first().click();
      await page.locator(".facts").waitFor();
      check(await page.locator(".growth").count() >= 1 || job.noGrowth, "growth");
    }
  },
  async empty(page, check) {
    check((await page.locator("main").innerText()).includes("No open findings"), "says that there are none");
  },
  // Only what can be seen exists, and the end can be reached.
  async long(page, check, job) {
    check(await page.locator(".row").count() < 200, "rows that nobody sees exist");
    await page.locator(".run").focus();
    await page.keyboard.press("End");
    const last = await page.locator(".row").last().getAttribute("data-row");
    check(Number(last) === job.events - 1, `the last row is ${last}`);
    check(await page.locator('.row[aria-selected="true"]').count() === 1, "it is selected");
  },
};

for (const job of jobs) {
  const wrong = [];
  const check = (right, words) => { if (!right) wrong.push(words); };
  const page = await context.newPage();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => wrong.push(`error: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => { wrong.push("a dialog"); void dialog.dismiss(); });
  const begun = Date.now();
  try {
    const session = job.patience ? await context.newCDPSession(page) : null;
    await session?.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(job.url, { waitUntil: "load", timeout: job.patience ?? 15_000 });
    await page.locator("main > *").first().waitFor({ timeout: job.patience ?? 15_000 });
    job.milliseconds = Date.now() - begun;
    // Of the page's own thread, whatever else the machine does.
    const metrics = await session?.send("Performance.getMetrics");
    const busy = metrics?.metrics.find((metric) => metric.name === "TaskDuration");
    if (busy) job.busy = Math.round(busy.value * 1000);
    for (const look of job.looks) await looks[look](page, check, job);
    for (const width of job.widths ?? []) {
      await page.setViewportSize({ width, height: job.height ?? 900 });
      await page.goto(job.url + (job.hash ?? ""), { waitUntil: "load" });
      for (const key of job.keys ?? []) { await page.locator(".run").focus(); await page.keyboard.press(key); }
      await page.waitForTimeout(150);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(overflow <= 0, `at ${width} the page is ${overflow} wider than the window`);
      await page.screenshot({ path: join(directory, `${job.name}-${width}.png`), fullPage: true });
      if (!job.dark) continue;
      await page.emulateMedia({ colorScheme: "dark" });
      await page.screenshot({ path: join(directory, `${job.name}-${width}-dark.png`), fullPage: true });
      await page.emulateMedia({ colorScheme: "light" });
      if (width === job.widths[0]) await page.pdf({ path: join(directory, `${job.name}.pdf`) });
    }
  } catch (error) {
    wrong.push(String(error));
  }
  const allowed = job.url.replace(/#.*/, "");
  for (const url of requests) {
    if (url.replace(/#.*/, "") !== allowed && url !== `${allowed}news` && !url.startsWith("data:")) {
      wrong.push(`a request to ${url}`);
    }
  }
  check(await page.evaluate(() => window.ran === undefined).catch(() => false), "text of the program has run");
  const foreign = await page.evaluate(() => document.querySelectorAll("#page script, #page img, #page b[onclick]").length).catch(() => 1);
  check(foreign === 0, "text of the program has become elements");
  await page.close();
  console.log(JSON.stringify({ name: job.name, wrong, milliseconds: job.milliseconds, busy: job.busy }));
}
await context.close();
