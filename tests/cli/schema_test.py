#!/usr/bin/env python3
"""Every JSON that `fairlead` writes follows docs/reference/fairlead.schema.json.

usage: schema_test.py --bin DIR --programs DIR --schema FILE

Runs each command that has --json and validates what comes out against the
definition of that command. A reader ignores fields that it does not know; this
test does not: a field that the schema lacks fails it.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

# Definition, stream, command; they run one after the other in one directory.
COMMANDS = [
    ("test", "out", "fairlead test --strategy random --executions 200 --json - -- order"),
    ("test", "out", "fairlead test --executions 20 --json - -- lost_update"),
    ("test", "out", "fairlead test --executions 9 --json - -- hello"),
    ("init", "out", "touch Makefile; fairlead init --json; rm Makefile"),
    ("tests", "out", "printf 'add_test(a \"%s\")\\n' $(command -v hello) > CTestTestfile.cmake; fairlead test --ctest . --executions 2 --store c.db --json -"),
    ("bugs", "out", "fairlead bugs --json"),
    ("kept_finding", "out", "fairlead show 1 --json"),
    ("minimize", "out", "fairlead minimize 1 --json"),
    ("minimize", "out", "fairlead minimize 2 --json"),
    ("export", "err", "fairlead export 2 -o b.flbug --json"),
    ("bug_file", "out", "fairlead export 2"),
    ("replay", "out", "fairlead replay b.flbug --json -- lost_update"),
    ("check_fix", "out", "fairlead check-fix 2 --search-time 100ms --json -- lost_update"),
    ("check_fix", "out", "fairlead check-fix 1 --search-time 100ms --json -- order"),
    ("run", "err", "fairlead run --json --schedule-out s --trace t -- order"),
    ("run", "err", "fairlead run --json -- crash"),
    ("repetitions", "err", "fairlead run --json --check-determinism 3 -- order"),
    ("predict", "err", "fairlead predict --strategy first --json --targets t1 -- lost_update"),
    ("predict", "err", "fairlead predict --strategy first --json --force -- order"),
    ("force", "err", "fairlead force --json t1/1.target -- lost_update"),
    ("doctor", "out", "fairlead doctor --json"),
    ("doctor", "out", "fairlead doctor --json -- order"),
    ("coverage", "out", "fairlead coverage --json $(dirname $(command -v hello))/lost_update"),
    ("lines", "out", "fairlead coverage --lines --json $(dirname $(command -v hello))/lost_update"),
    ("facts", "out", "fairlead bugs --ignore 1; fairlead facts suggest --json"),
    ("facts", "out", "fairlead facts show --json"),
    ("facts_diff", "out", "fairlead facts diff /dev/null --json"),
    ("histories", "out", "printf '1 :invoke :read nil\n1 :ok :read 2\n' > h; fairlead check-history --model register --json h"),
    ("failure", "err", "fairlead run --json -- /no/such/program"),
]


def strict(schema):
    """Objects with named fields have no others."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for each in schema.values():
            strict(each)
    elif isinstance(schema, list):
        for each in schema:
            strict(each)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--programs", "--schema"):
        parser.add_argument(name, required=True)
    arguments = parser.parse_args()
    schema = json.loads(pathlib.Path(arguments.schema).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    strict(schema["$defs"])
    path = ":".join([os.path.realpath(arguments.bin),
                     os.path.realpath(arguments.programs), os.environ["PATH"]])
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="fairlead-schema-") as here:
        for name, stream, command in COMMANDS:
            done = subprocess.run(
                ["/bin/sh", "-c", command], cwd=here, stdin=subprocess.DEVNULL,
                env={"PATH": path, "HOME": here, "LC_ALL": "C"},
                capture_output=True, text=True)
            text = done.stdout if stream == "out" else done.stderr
            begin = min((at for at in (text.find("{"), text.find("["))
                         if at >= 0), default=len(text))
            definition = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
            try:
                value = json.loads(text[begin:])
            except json.JSONDecodeError as error:
                print(f"{command}\n  no JSON: {error}\n{done.stdout}{done.stderr}")
                wrong += 1
                continue
            for error in jsonschema.Draft202012Validator(
                    definition).iter_errors(value):
                print(f"{command}\n  {error.json_path}: {error.message[:300]}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
