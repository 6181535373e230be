# SPDX-License-Identifier: Apache-2.0
"""https before an application that serves http: the extension fills no public http page."""
import base64
import http.client
import http.server
import ssl
import threading

# They belong to one connection.
OWN = ("connection", "keep-alive", "transfer-encoding", "content-length", "upgrade")


class Proxy:
    """A server at a port of its own for the application at the port `target`, which is set later."""

    def __init__(self, certificates, dropped=()):
        """`dropped` are headers of answers to scripts that the browser does not get: those of pages it does."""
        proxy = self
        self.target = None
        # Requests with HTTP authentication: path, and user name and password.
        self.signed = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name: value for name, value in self.headers.items() if name.lower() not in OWN}
                if body or self.command == "POST":
                    headers["Content-Length"] = str(len(body))
                kind, _, token = self.headers.get("Authorization", "").partition(" ")
                if kind == "Basic":
                    proxy.signed.append((self.path, base64.b64decode(token).decode()))
                hidden = () if self.headers.get("Sec-Fetch-Mode") == "navigate" else dropped
                answer, content = send(proxy.target, self.command, self.path, headers, body)
                self.send_response(answer.status, answer.reason)
                for name, value in answer.getheaders():
                    if name.lower() not in OWN and name.lower() not in ("server", "date", *hidden):
                        self.send_header(name, value)
                if answer.status >= 200 and answer.status not in (204, 304):
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = do_PROPFIND = do_OPTIONS = do_PATCH = do_REPORT = do_MKCOL = forward

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        # A browser that navigates away during an answer.
        server.handle_error = lambda *_: None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates / "certificate.pem", certificates / "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        self.server, self.port = server, server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def send(port, method, path, headers, body=b"", timeout=60):
    """A request as the proxy sends it: the answer, and its body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body or None, {**headers, "X-Forwarded-Proto": "https", "Connection": "close"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()
