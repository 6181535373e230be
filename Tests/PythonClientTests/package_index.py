# SPDX-License-Identifier: Apache-2.0
"""A package index that requires a password: `package_index.py FOLDER`, USER:PASSWORD on standard input.

It has one package, autofill-example, and keeps what is uploaded in FOLDER. The first line that it writes is its port; then one
for each request: its method, its path, and what became of it. It ends when its input does.
"""

import base64
import http.server
import io
import re
import sys
import threading
import zipfile
from pathlib import Path

FOLDER = Path(sys.argv[1])
WANTED = "Basic " + base64.b64encode(sys.stdin.readline().rstrip("\n").encode()).decode()
WHEEL = "autofill_example-1.0-py3-none-any.whl"


def wheel():
    information = "autofill_example-1.0.dist-info/"
    files = {
        "autofill_example.py": "GREETING = 'installed'\n",
        information + "METADATA": "Metadata-Version: 2.1\nName: autofill-example\nVersion: 1.0\n",
        information + "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[information + "RECORD"] = "".join(f"{name},,\n" for name in [*files, information + "RECORD"])
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


class Index(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b"", kind="text/html"):
        print(self.command, self.path, status, flush=True)
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="packages"')
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.headers.get("Authorization") != WANTED:
            self.answer(401)
        elif self.path == "/simple/autofill-example/":
            self.answer(200, f'<a href="/files/{WHEEL}">{WHEEL}</a>'.encode())
        elif self.path == f"/files/{WHEEL}":
            self.answer(200, wheel(), "application/octet-stream")
        else:
            self.answer(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Authorization") != WANTED:
            self.answer(401)
            return
        name = re.search(rb'filename="([\w.-]+)"', body)[1].decode()
        (FOLDER / name).write_bytes(body)
        self.answer(200)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
