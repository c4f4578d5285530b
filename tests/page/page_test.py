#!/usr/bin/env python3
"""The page of `fairlead report`, in a real browser.

usage: page_test.py --bin DIR --programs DIR --hostile FILE --cache DIR
                    [--screenshots DIR]

Finds bugs in a few programs, makes pages of them, and opens these in Debian's
chromium through npm's playwright-core, which is fetched, pinned, at test time:
they load without an error, step by keys, filter, ask nobody for anything, and
text that tries to be a script is text. Skipped (77) without chromium, node or
the registry, or where the build has no page.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report"))
import npm_package  # noqa: E402

# The last line that runs on the node of Debian 12 (18).
PLAYWRIGHT = ("playwright-core", "1.48.2",
              "sjjw+qrLFlriJo64du+EK0kJgZzoQPsabGF4lBvsid+3CNIZIYLgnMj9V6JY5VhM2P"
              "eh20DJWIVpVljLLnlawA==")
SKIPPED = 77


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def model_of(page: pathlib.Path):
    text = page.read_text()
    begin = text.index('id="model">') + len('id="model">')
    return json.loads(text[begin:text.index("</script>", begin)])


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--programs", "--hostile", "--cache"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    chromium = shutil.which("chromium")
    if not chromium or not shutil.which("node"):
        skip("chromium and node are needed")
    try:
        playwright = npm_package.fetch(*PLAYWRIGHT, arguments.cache)
    except npm_package.Unreachable as failure:
        skip(str(failure))
    fairlead = str((arguments.bin / "fairlead").resolve())
    programs = arguments.programs.resolve()
    wrong = []
    with tempfile.TemporaryDirectory(prefix="fairlead-page-",
                                     ignore_cleanup_errors=True) as here:
        here = pathlib.Path(here)

        def run(*words, codes=(0,)):
            done = subprocess.run([fairlead, *words], cwd=here, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            if "built without its page" in done.stderr:
                skip(done.stderr.strip())
            if done.returncode not in codes:
                wrong.append(f"{words}: {done.returncode}: {done.stderr}")
            return done.stdout

        def page(name, *words):
            run("report", *words, "-o", f"{name}.html")
            file = here / f"{name}.html"
            if "<script>window.ran" in file.read_text():
                wrong.append(f"{name}: text of the program is markup in it")
            return f"file://{file}"

        options = ["--seed", "1", "--executions", "300"]
        hostile = arguments.hostile.resolve()
        run("test", *options, "--store", "hostile.db", "--", str(hostile), codes=(1,))
        for name in ("order", "freed", "lost_update"):
            run("test", *options, "--store", "all.db", "--", str(programs / name), codes=(1,))
        run("run", "--trace", "t.trace", "--", str(programs / "lost_update"), codes=(0, 1))
        run("minimize", "1", "--store", "all.db", codes=(0, 1, 4))
        url = page("all", "--store", "all.db")
        model = model_of(here / "all.html")
        names = [each["name"] for each in model["findings"]]
        lost = [each["name"] for each in model["findings"]
                if each["program"].endswith("lost_update") and not each["predicted"]]
        run("test", *options, "--store", "loop.db", "--", str(programs / "event_loop"), codes=(1,))
        # A store without findings, and what a page says then.
        run("test", "--executions", "3", "--store", "none.db", "--", str(programs / "hello"), codes=(0, 4))
        events = run("trace", "print", "--json", "t.trace").count("\n")
        widths = [1600, 1000, 480] if arguments.screenshots else []
        jobs = [
            {"name": "hostile", "url": page("hostile", "--store", "hostile.db", "1"),
             "looks": ["finding", "steps"], "arrows": 1, "widths": widths, "dark": True,
             "texts": ["</script>", "\\xff"]},
            {"name": "deadlock", "url": page("deadlock", "--store", "all.db", "1"),
             "looks": ["finding", "steps"], "locks": 2, "waits": 2, "noValues": True,
             "widths": widths},
            {"name": "freed", "url": page("freed", "--store", "all.db", "2"),
             "looks": ["finding", "steps"], "widths": widths, "noValues": True},
            {"name": "lost", "url": page("lost", "--store", "all.db", *lost[:1]),
             "looks": ["finding", "steps"], "arrows": 1, "widths": widths},
            {"name": "more", "url": page("more", "--store", "loop.db", "1"),
             "looks": ["switches"], "widths": widths, "keys": ["f"]},
            {"name": "all", "url": url, "looks": ["overview"],
             "findings": len(names), "filter": "order",
             "left": sum("order" in " ".join(str(each[key]) for key in (
                 "name", "title", "message", "program", "why", "status", "verdict")).lower()
                 for each in model["findings"]), "campaigns": True, "noGrowth": True,
             "widths": widths},
            {"name": "empty", "url": page("empty", "--store", "none.db"), "looks": ["empty"]},
            {"name": "trace", "url": page("trace", "--trace", "t.trace"),
             "looks": ["long"], "events": events, "widths": widths},
        ]
        if arguments.screenshots:
            jobs.append({"name": "campaign", "url": url, "hash": "#/campaign/0", "looks": [], "widths": widths})
            jobs.append({"name": "coverage", "url": url, "hash": "#/coverage/0", "looks": [], "widths": widths})
        server = subprocess.Popen([fairlead, "report", "--serve", "--store", "all.db"], cwd=here,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        jobs.append({"name": "served", "url": server.stdout.readline().strip(),
                     "looks": ["overview"], **{key: jobs[5][key] for key in (
                         "findings", "filter", "left", "campaigns", "noGrowth")}})
        (here / "jobs.json").write_text(json.dumps(jobs))
        try:
            done = subprocess.run(
                ["node", str(pathlib.Path(__file__).resolve().parent / "browser.mjs"),
                 str(playwright.resolve()), chromium, str(here), str(here / "jobs.json")],
                capture_output=True, text=True, timeout=120,
                env={**os.environ, "HOME": str(here)})
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(10)
        results = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode != 0 or len(results) != len(jobs):
            wrong.append(f"the browser: {done.returncode} {done.stderr[-3000:]}")
        for result in results:
            wrong += [f"{result['name']}: {words}" for words in result["wrong"]]
            print(result["name"], result.get("milliseconds"), "ms until it is drawn")
        if arguments.screenshots:
            arguments.screenshots.mkdir(parents=True, exist_ok=True)
            for file in [*here.glob("*.png"), *here.glob("*.html")]:
                shutil.copy(file, arguments.screenshots)
    for words in wrong:
        print("wrong:", words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
