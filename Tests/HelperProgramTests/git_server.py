# SPDX-License-Identifier: Apache-2.0
"""git over smart http (git http-backend) behind a password: git_server.py DIRECTORY USER:PASSWORD. Prints its port, then a line for
each request, with its status. The password is read again from the file DIRECTORY/account if it exists."""
import base64
import http.server
import os
import subprocess
import sys

directory, account = sys.argv[1], sys.argv[2]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def allowed(self):
        now = account
        path = os.path.join(directory, "account")
        if os.path.exists(path):
            now = open(path).read().strip()
        return self.headers.get("Authorization") == "Basic " + base64.b64encode(now.encode()).decode()

    def answer(self, status, headers=(), body=b""):
        print(self.command, self.path, status, flush=True)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        sent = self.rfile.read(length)
        if self.headers.get("Transfer-Encoding") == "chunked":
            sent = b""
            while size := int(self.rfile.readline(), 16):
                sent += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        if not self.allowed():
            return self.answer(401, [("WWW-Authenticate", 'Basic realm="test"')])
        path, _, query = self.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": directory, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": "ann", "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type") or "", "CONTENT_LENGTH": str(len(sent)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "", "GIT_CONFIG_NOSYSTEM": "1", "HOME": directory,
        }
        run = subprocess.run(["git", "http-backend"], input=sent, env=environment, stdout=subprocess.PIPE, check=True)
        head, _, body = run.stdout.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self.answer(status, [header for header in headers if header[0] not in ("Status", "Content-Length")], body)

    do_GET = do_POST = serve

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
