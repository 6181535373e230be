# SPDX-License-Identifier: Apache-2.0
"""A minimal registry for `docker login`, whose /v2/ needs a password, and a minimal engine that accepts a pull from `docker pull`
with the registry's credentials: docker_registry.py USER:PASSWORD. Prints its port, then a line for each request, with its
status."""
import base64
import http.server
import json
import sys

user, _, password = sys.argv[1].partition(":")
expected = "Basic " + base64.b64encode(sys.argv[1].encode()).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        is_authorised = self.path == "/_ping" or self.headers.get("Authorization") == expected
        self.answer(200 if is_authorised else 401, b"{}")

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        credentials = json.loads(base64.urlsafe_b64decode(self.headers.get("X-Registry-Auth") or "e30="))
        is_authorised = credentials.get("username") == user and credentials.get("password") == password
        self.answer(200 if is_authorised else 401, b'{"status":"pulled"}\n')

    def answer(self, status, body):
        print(self.command, self.path.partition("?")[0], status, flush=True)
        self.send_response(status)
        self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
        self.send_header("Api-Version", "1.45")
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="test"')
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
