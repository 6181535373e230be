# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios in one browser: reads their names from standard input, one per line, and writes each result as JSON."""
import json
import pathlib
import signal
import sys
import tempfile
import time
import traceback

import apart  # noqa: F401 (its scenarios, and those of features, outcomes and bars, are among SCENARIOS)
import bars  # noqa: F401
import languages  # noqa: F401
import accessibility  # noqa: F401
import outcomes  # noqa: F401
import profiles  # noqa: F401
from forms import fill_forms
from isolation import Walk
from saving import SavingWalk
from scenarios import SCENARIOS
from stage import Stage

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from Applications.steps import run as visit  # noqa: E402


def main():
    browser, programs, extension, pages = sys.argv[1:5]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="autofill-web-", ignore_cleanup_errors=True) as folder:
        try:
            stage = Stage(browser, programs, extension, pages, folder)
        except Exception:
            print(json.dumps({"ready": False, "error": traceback.format_exc()[-2500:]}), flush=True)
            return
        try:
            print(json.dumps({"ready": True}), flush=True)
            for line in sys.stdin:
                began = time.monotonic()
                try:
                    name, _, step = line.strip().partition(" ")
                    if name == "forms":
                        filled, mistakes = fill_forms(stage, int(step))
                        result = {"passed": not mistakes, "filled": filled, "error": "\n".join(map(str, mistakes))}
                    elif name == "walk":
                        steps, seed = step.split()
                        result = {"passed": True, **Walk(stage, int(seed)).run(int(steps), lambda progress: print(json.dumps(progress), flush=True))}
                    elif name == "saving":
                        count, seed = step.split()
                        result = {"passed": True, **SavingWalk(stage, int(seed)).run(int(count), lambda progress: print(json.dumps(progress), flush=True))}
                    elif name == "application":
                        stage.browser.open_tab()
                        application, _, form = step.partition(" ")
                        result = {"passed": True, **visit(stage, application, form == "quick")}
                    elif name == "releases":
                        result = {"passed": True, "releases": stage.releases()}
                    else:
                        # A bar that a scenario leaves behind belongs to its tab.
                        stage.browser.open_tab()
                        SCENARIOS[name](stage)
                        result = {"passed": True}
                except Exception:
                    result = {"passed": False, "error": traceback.format_exc()[-2500:]}
                result["seconds"] = round(time.monotonic() - began, 2)
                print(json.dumps(result), flush=True)
        finally:
            stage.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        print("\n".join(SCENARIOS))
    else:
        main()
