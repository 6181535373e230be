# SPDX-License-Identifier: Apache-2.0
"""A sparse registry that requires a token for every request, with one crate, and accepts published crates: cargo_registry.py TOKEN.
Prints its port, then a line for each request, with its status."""
import hashlib
import http.server
import io
import json
import sys
import tarfile

token = sys.argv[1]


def packed():
    files = {
        "Cargo.toml": '[package]\nname = "kept"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": "pub const KEPT: u8 = 1;\n"}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo("kept-0.1.0/" + name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


def entry(name, crate):
    return json.dumps({
        "name": name, "vers": "0.1.0", "deps": [], "cksum": hashlib.sha256(crate).hexdigest(), "features": {},
        "yanked": False}).encode() + b"\n"


crate = packed()
index = {"kept": entry("kept", crate)}


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b""):
        print(self.command, self.path, status, flush=True)
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Cargo login_url="http://127.0.0.1/me"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def serve(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        root = f"http://127.0.0.1:{server.server_address[1]}"
        if self.headers.get("Authorization") != token:
            return self.answer(401)
        if self.path == "/index/config.json":
            return self.answer(
                200, json.dumps({"dl": root + "/dl/{crate}/{version}", "api": root, "auth-required": True}).encode())
        name = self.path.rpartition("/")[2]
        if self.path.startswith("/index/") and name in index:
            return self.answer(200, index[name])
        if self.path == "/dl/kept/0.1.0":
            return self.answer(200, crate)
        if self.path == "/api/v1/crates/new" and self.command == "PUT":
            length = int.from_bytes(sent[:4], "little")
            name = json.loads(sent[4 : 4 + length])["name"]
            index[name] = entry(name, sent[8 + length :])
            return self.answer(200, b'{"warnings":{"invalid_categories":[],"invalid_badges":[],"other":[]}}')
        return self.answer(404)

    do_GET = do_PUT = serve

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
