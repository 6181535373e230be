# SPDX-License-Identifier: Apache-2.0
"""What the browsers' own password managers have, and the vault."""
import json
import subprocess
import time

from scenarios import ANN, BOB, scenario

ADD = {
    "firefox": """(async () => { for (const [user, password] of %s) {
        const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
        login.init("https://shop.example.com", "https://shop.example.com", null, user, password, "", "");
        await Services.logins.addLoginAsync(login); } return 1; })()""",
    "chromium": """(async () => { for (const [username, password] of %s)
        await chrome.passwordsPrivate.addPassword({ url: "https://shop.example.com/", username, password, note: "", useAccountStore: false });
        return 1; })()""",
}
CSV = """(async () => {
    const { LoginCSVImport } = ChromeUtils.importESModule("resource://gre/modules/LoginCSVImport.sys.mjs");
    const { LoginExport } = ChromeUtils.importESModule("resource://gre/modules/LoginExport.sys.mjs");
    const found = await LoginCSVImport.importFromCSV(%s);
    await LoginExport.exportAsCSV(%s);
    return found.map(({ result }) => result); })()"""


def ctl(stage, *arguments):
    """autofillctl's output, with the proof of the vault's key."""
    run = subprocess.run(
        [str(stage.programs / "autofillctl"), *arguments, "--socket", stage.socket_path, "--key-file", str(stage.key)],
        capture_output=True, text=True, env={"HOME": str(stage.folder), "PATH": "/usr/bin:/bin"})
    assert run.returncode == 0, run.stderr + run.stdout
    return run.stdout


def await_file(path, text):
    """Waits until a browser has written something to a file."""
    deadline = time.monotonic() + 60
    while not (path.exists() and text in path.read_bytes()):
        assert time.monotonic() < deadline, f"{path} has no {text}"
        time.sleep(0.1)


@scenario
def own_passwords(stage):
    """What the browser itself has saved is imported from its profile; Firefox imports our CSV, and what it exports is identical."""
    stage.start(vault=str(stage.folder / f"vault{time.monotonic_ns()}"))
    kept = {ANN: "correct horse", BOB: 'p, "q" \u00e4'}
    own = stage.new_browser("own", saves=True)
    try:
        profile = own.folder / "profile"
        code = ADD[own.name] % json.dumps(list(kept.items()))
        if own.name == "firefox":
            own._chrome(code)
            await_file(profile / "logins.json", b'"nextId":3')
            # Firefox imports what this vault exports, and exports the same.
            ours, theirs = stage.folder / "ours.csv", stage.folder / "theirs.csv"
            stage.save("eve@example.com", "=cmd()", "bank.example.com")
            ctl(stage, "export", str(ours), "--format", "chrome", "--yes", "--force")
            assert own._chrome(CSV % (json.dumps(str(ours)), json.dumps(str(theirs)))) == ["added"]
            found = json.loads(ctl(stage, "import", str(theirs), "--dry-run", "--json"))
            assert (found["new"], found["identical"], found["inConflict"]) == (2, 1, 0), found
        else:
            own.open("chrome://password-manager/passwords")
            own.run(code)
            profile /= "Default"
            await_file(profile / "Login Data", BOB.encode())
    finally:
        own.close()
    assert "2 added" in ctl(stage, "import", str(profile), "--yes")
    assert stage.saved() == kept
