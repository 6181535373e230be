#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sites of the tests, on 127.0.0.1 with TLS: how each behaves is in its name, the first label of the host.

Prints its port on the first line, serves until standard input ends. With arguments, `site.py SOCKET PROGRAM...`, it
acts as systemd instead: it makes the socket, and becomes the program, which finds it at descriptor 3.
"""
import http.server, json, os, pathlib, socket, ssl, sys, threading, time

PLACE = pathlib.Path(__file__).parent / "Certificates"
LIMIT = 128 * 1024
APP = "org.example.Shop"


def apple(*entries):
    return json.dumps({"applinks": {"details": []}, "webcredentials": {"apps": list(entries)}}).encode()


def statement(app, relation="delegate_permission/common.get_login_creds", namespace="linux_app"):
    return {"relation": [relation], "target": {"namespace": namespace, "bundle_id": app}}


GOOD = apple("ABCDE12345." + APP, "linux." + APP, "linux.org.example.Other")


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.headers.get("Host", "").split(".")[0]
        file = self.path.rsplit("/", 1)[-1]
        if not self.path.startswith("/.well-known/"):
            return self.say(404, b"")
        if name.startswith("inward-"):
            return self.say(302, b"", Location=f"https://127.0.0.1:{name.removeprefix('inward-')}{self.path}")
        behave = getattr(self, name.replace("-", "_"), None)
        if behave is not None:
            return behave(file)
        self.say(200, GOOD) if file == "apple-app-site-association" else self.say(404, b"")

    def say(self, status, body, **headers):
        self.send_response(status)
        for header, value in {"Content_Type": "application/json", "Content_Length": len(body), **headers}.items():
            self.send_header(header.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def apple_only(self, status, body, file, **headers):
        self.say(status, body, **headers) if file == "apple-app-site-association" else self.say(404, b"")

    def statements(self, file):
        self.say(200, json.dumps([statement(APP)]).encode()) if file == "assetlinks.json" else self.say(404, b"")

    def both(self, file):
        if file == "assetlinks.json":
            return self.say(200, json.dumps([statement("org.example.Second")]).encode(), Cache_Control="max-age=7200")
        self.say(200, GOOD, Cache_Control="public, max-age=86400")

    def text(self, file):
        self.apple_only(200, GOOD, file, Content_Type="text/html; charset=iso-8859-1")

    def unlisted(self, file):
        self.apple_only(200, apple("ABCDE12345." + APP, "linux.org.example.Other"), file)

    def broken(self, file):
        self.say(500, GOOD)

    def moved(self, file):
        self.say(301, b"", Location="https://shop.example.com" + self.path)

    def exact(self, file):
        self.apple_only(200, GOOD + b" " * (LIMIT - len(GOOD)), file)

    def huge(self, file):
        self.say(200, GOOD + b" " * (LIMIT + 1 - len(GOOD)))

    def endless(self, file):
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b" " * 65536)

    def slow(self, file):
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b" ")
            time.sleep(0.05)

    def silent(self, file):
        self.rfile.read()

    def short(self, file):
        self.say(200, GOOD, Content_Length=len(GOOD) + 1000)

    def double(self, file):
        self.say(200, GOOD, content_length=len(GOOD) + 1)

    def raw(self, head, *parts):
        """Bytes as they are, and nothing after them."""
        self.wfile.write(b"\r\n".join([b"HTTP/1.1 200 OK", *head, b"", b""]) + b"".join(parts))
        self.close_connection = True

    def chunked(self, file):
        chunks = [b"%x\r\n%b\r\n" % (len(part), part) for part in (GOOD[:9], GOOD[9:])]
        self.raw([b"Transfer-Encoding: chunked"], *chunks, b"0\r\nContent-Length: 1\r\nCache-Control: max-age=1\r\n\r\n")

    def forever(self, file):
        self.raw([b"Transfer-Encoding: chunked"])
        while True:
            self.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")

    def framed_twice(self, file):
        self.raw([b"Content-Length: 2", b"Transfer-Encoding: chunked"], b"2\r\n[]\r\n0\r\n\r\n")

    def packed(self, file):
        self.raw([b"Transfer-Encoding: gzip, chunked"], b"2\r\n[]\r\n0\r\n\r\n")

    def hinted(self, file):
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nContent-Length: 7\r\nCache-Control: max-age=5000\r\n\r\n" * 3)
        self.say(200, GOOD)

    def hints(self, file):
        while True:
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100)

    def flood(self, file):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.wfile.write(b"X-Flood: " + b"x" * 1000 + b"\r\n")

    def long_line(self, file):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while True:
            self.wfile.write(b"x" * 65536)

    def html(self, file):
        self.say(200, b"<!doctype html><title>Not found</title>")

    def shapeless(self, file):
        self.say(200, b"[1]" if file == "apple-app-site-association" else b"{}")

    def spoken(self, file):
        self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")

    def log_message(self, *words):
        pass


def context(name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(PLACE / f"{name}.pem")
    return made


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def process_request_thread(self, request, address):
        try:
            request = base.wrap_socket(request, server_side=True)
        except OSError:
            return self.shutdown_request(request)
        super().process_request_thread(request, address)

    def handle_error(self, request, address):
        pass


if len(sys.argv) > 1:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(64)
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.execve(sys.argv[2], sys.argv[2:], {**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})

base = context("site")
others = {name: context(name) for name in ("expired", "wrong-name", "unknown")}


def choose(connection, name, _):
    chosen = others.get((name or "").split(".")[0])
    if chosen is not None:
        connection.context = chosen


base.sni_callback = choose
server = Server(("127.0.0.1", 0), Site)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
