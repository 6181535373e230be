# SPDX-License-Identifier: Apache-2.0
"""The web server of the tests: https for any name with a certificate of its own, http beside it, pages from a folder."""
import base64
import http.server
import pathlib
import ssl
import subprocess
import threading
import urllib.parse

from accounts import Accounts

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json"}


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves a page; records the values of a form that is sent."""

    protocol_version = "HTTP/1.1"
    pages = None
    forms = None
    extra = {}
    # Paths with an answer of their own: status and headers.
    answers = {}
    # The site with accounts.
    accounts, site = None, None
    # Requests with a user name and a password (HTTP authentication): path and both, one per request.
    signed = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        name = address.path.lstrip("/")
        if address.path in self.answers:
            status, headers = self.answers[address.path]
            return self._answer(status, b"", "text/plain", headers)
        if name.startswith("app/"):
            return self._app(address, {})
        if name.startswith("private/"):
            return self._private(address.path)
        if name in self.extra:
            return self._answer(200, self.extra[name].encode(), TYPES[".html"])
        file = self.pages / name
        if not name or ".." in name or not file.is_file():
            return self._answer(404, b"", "text/plain")
        headers = dict(urllib.parse.parse_qsl(address.query)).get("headers", "")
        self._answer(200, file.read_bytes(), TYPES[file.suffix], headers)

    def _private(self, path):
        """A page for ann alone."""
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        if kind == "Basic":
            self.signed.append((path, base64.b64decode(token).decode()))
            if self.signed[-1][1] == "ann@example.com:correct horse":
                return self._answer(200, b"<title>In</title>", TYPES[".html"])
        self._answer(401, b"<title>Out</title>", TYPES[".html"], 'WWW-Authenticate=Basic realm="r"')

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        fields = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True))
        if self.path.startswith("/app/"):
            return self._app(urllib.parse.urlsplit(self.path), fields)
        self.forms.append(fields)
        self.send_response(303)
        self.send_header("Location", "/welcome.html")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _app(self, address, fields):
        """A page of the site with accounts."""
        query = dict(urllib.parse.parse_qsl(address.query))
        status, body, headers = self.accounts.answer(
            self.site, self.command, address.path, query, fields, "X-Script" in self.headers)
        self._answer(status, body.encode(), TYPES[".html"], headers)

    def _answer(self, status, body, kind, headers=""):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for header in filter(None, headers.split("|")):
            name, _, value = header.partition("=")
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Site:
    """Serves `pages` until the process ends; `forms` has what was sent."""

    def __init__(self, pages, folder):
        folder = pathlib.Path(folder)
        self.forms = []
        handler = type("PageHandler", (Handler,), {"pages": pathlib.Path(pages), "forms": self.forms, "extra": {}, "answers": {}, "signed": []})
        self.accounts = handler.accounts = Accounts()
        handler.site = self
        self.extra, self.answers, self.signed = handler.extra, handler.answers, handler.signed
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
             "/CN=example.com", "-addext", "subjectAltName=DNS:*.example.com,DNS:example.com,DNS:*.example.net", "-keyout", key, "-out",
             certificate],
            check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.ports = {}
        for scheme in ("https", "http"):
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            server.daemon_threads = True
            # A browser that navigates away during an answer.
            server.handle_error = lambda *_: None
            if scheme == "https":
                server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.ports[scheme] = server.server_address[1]

    def url(self, page, host="shop.example.com", scheme="https"):
        return f"{scheme}://{host}:{self.ports[scheme]}/{page}"
