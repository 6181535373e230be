# SPDX-License-Identifier: Apache-2.0
"""What the Nextcloud client needs of a server: nextcloud_server.py DIRECTORY BYTES. Accepts any password.

All users have the same files, below DIRECTORY/files. While a file is received from a user it is DIRECTORY/received/USER.N;
while one is sent there is DIRECTORY/sent/USER.N. The port is written to DIRECTORY/port. A file is sent at BYTES a second.
Ids and etags are lost when the server ends."""
import base64
import email.utils
import http.server
import json
import os
import shutil
import socketserver
import sys
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

directory, rate = sys.argv[1], int(sys.argv[2])
files, received, sent = (os.path.join(directory, name) for name in ("files", "received", "sent"))
prefix, chunk = "/remote.php/dav/files/", 4096
version = {"major": 25, "minor": 0, "micro": 13, "string": "25.0.13", "edition": "", "extendedSupport": False}
status = {
    "installed": True, "maintenance": False, "needsDbUpgrade": False, "version": "25.0.13.2", "versionstring": "25.0.13",
    "edition": "", "productname": "Nextcloud", "extendedSupport": False,
}


class Tree:
    """Paths are relative; that of the root is empty. Every change gives the entry and all directories above it new etags."""

    def __init__(self):
        self.lock, self.count, self.entries = threading.Lock(), 0, {}
        self.change("")

    def next(self):
        self.count += 1
        return self.count

    def change(self, path):
        etag = f"{self.next():032x}"
        while True:
            fileid = self.entries[path][0] if path in self.entries else f"{self.next():08d}local"
            self.entries[path] = (fileid, etag)
            if not path:
                return
            path = os.path.dirname(path)

    def below(self, path):
        return [name for name in self.entries if name == path or name.startswith(path + "/")]

    def remove(self, path):
        for name in self.below(path):
            del self.entries[name]
        self.change(os.path.dirname(path))

    def move(self, path, target):
        for name in self.below(path):
            self.entries[target + name[len(path):]] = self.entries.pop(name)
        self.change(os.path.dirname(path))
        self.change(target)

    def children(self, path):
        return [name for name in self.entries if name and os.path.dirname(name) == path]


tree = Tree()


def local(path):
    return os.path.join(files, path) if path else files


def properties(user, path):
    fileid, etag = tree.entries[path]
    facts, is_directory = os.stat(local(path)), os.path.isdir(local(path))
    href = urllib.parse.quote(prefix + user + "/" + path + ("/" if is_directory and path else ""))
    kind = "<d:resourcetype><d:collection/></d:resourcetype>" if is_directory else (
        f"<d:resourcetype/><d:getcontentlength>{facts.st_size}</d:getcontentlength>")
    return (
        f"<d:response><d:href>{escape(href)}</d:href><d:propstat><d:prop>{kind}"
        f"<d:getlastmodified>{email.utils.formatdate(facts.st_mtime, usegmt=True)}</d:getlastmodified>"
        f"<d:getetag>&quot;{etag}&quot;</d:getetag><oc:id>{fileid}</oc:id><oc:fileid>{int(fileid[:8])}</oc:fileid>"
        f"<oc:permissions>{'RGDNVCK' if is_directory else 'RGDNVW'}</oc:permissions>"
        f"<oc:size>{facts.st_size}</oc:size></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, code, headers=(), body=b"", pause=0):
        """With a pause before each chunk."""
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for start in range(0, len(body), chunk):
            time.sleep(pause)
            self.wfile.write(body[start:start + chunk])

    def document(self, value):
        self.answer(200, [("Content-Type", "application/json; charset=utf-8")], json.dumps(value).encode())

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def path_of(self, url):
        """The user and the path in the tree; None for anything else."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
        if not path.startswith(prefix):
            return None
        names = [name for name in path[len(prefix):].split("/") if name]
        return None if not names or ".." in names or "." in names else (names[0], "/".join(names[1:]))

    def serve(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/status.php":
            return self.document(status)
        scheme, _, account = (self.headers.get("Authorization") or "").partition(" ")
        if scheme != "Basic":
            self.body()
            return self.answer(401, [("WWW-Authenticate", 'Basic realm="Nextcloud"')])
        user = base64.b64decode(account).decode().partition(":")[0]
        if path.startswith("/ocs/"):
            meta = {"status": "ok", "statuscode": 100 if "/v1.php/" in path else 200, "message": "OK"}
            data = {"/cloud/capabilities": {"version": version, "capabilities": {"core": {"pollinterval": 60}}},
                    "/cloud/user": {"id": user, "display-name": user}}
            found = next((value for name, value in data.items() if path.endswith(name)), [])
            return self.document({"ocs": {"meta": meta, "data": found}})
        found = self.path_of(self.path)
        if self.command == "PUT" and found:
            return self.put(*found)
        self.body()
        if not found:
            return self.answer(404)
        with tree.lock:
            answer, mark = self.act(*found), os.path.join(sent, f"{found[0]}.{tree.next()}")
        if self.command != "GET":
            return self.answer(*answer)
        open(mark, "w").close()
        try:
            self.answer(*answer, pause=chunk / rate)
        finally:
            os.remove(mark)

    def act(self, user, path):
        """The answer to all but an upload."""
        if self.command == "MKCOL":
            if path in tree.entries or os.path.dirname(path) not in tree.entries:
                return (405 if path in tree.entries else 409,)
            os.mkdir(local(path))
            tree.change(path)
            return 201, [("OC-FileId", tree.entries[path][0])]
        if path not in tree.entries:
            return (404,)
        if not self.is_match(path):
            return (412,)
        if self.command == "PROPFIND":
            names = [path] + (tree.children(path) if self.headers.get("Depth") != "0" else [])
            text = "".join(properties(user, name) for name in names)
            body = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">{text}</d:multistatus>'
            return 207, [("Content-Type", "application/xml; charset=utf-8")], body.encode()
        if self.command == "GET":
            return self.content(path)
        if self.command == "DELETE":
            (shutil.rmtree if os.path.isdir(local(path)) else os.remove)(local(path))
            tree.remove(path)
            return (204,)
        target = self.path_of(self.headers.get("Destination") or "")
        if self.command != "MOVE" or not target:
            return (405,)
        if target[1] in tree.entries or os.path.dirname(target[1]) not in tree.entries:
            return (412 if target[1] in tree.entries else 409,)
        os.rename(local(path), local(target[1]))
        tree.move(path, target[1])
        return 201, self.identity(target[1])

    def is_match(self, path):
        wanted = self.headers.get("If-Match")
        return wanted in (None, "*") or path in tree.entries and wanted.strip('"') == tree.entries[path][1]

    def identity(self, path):
        fileid, etag = tree.entries[path]
        return [("OC-FileId", fileid), ("ETag", f'"{etag}"'), ("OC-ETag", f'"{etag}"')]

    def content(self, path):
        if os.path.isdir(local(path)):
            return (405,)
        with open(local(path), "rb") as file:
            body = file.read()
        headers = self.identity(path) + [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")]
        first = (self.headers.get("Range") or "").removeprefix("bytes=").removesuffix("-")
        if not first.isdigit() or int(first) >= len(body):
            return 200, headers, body
        return 206, headers + [("Content-Range", f"bytes {first}-{len(body) - 1}/{len(body)}")], body[int(first):]

    def put(self, user, path):
        """Receives all of a file before the tree has it: of a client that is killed nothing remains."""
        with tree.lock:
            partial = os.path.join(received, f"{user}.{tree.next()}")
        left = int(self.headers.get("Content-Length") or 0)
        with open(partial, "wb", 0) as file:
            while left and (part := self.rfile.read(min(chunk, left))):
                file.write(part)
                left -= len(part)
        if left:
            os.remove(partial)
            self.close_connection = True
            return
        with tree.lock:
            is_new, parent = path not in tree.entries, os.path.dirname(path)
            if not self.is_match(path) or os.path.isdir(local(path)) or parent not in tree.entries:
                os.remove(partial)
                answer = (412 if parent in tree.entries else 409,)
            else:
                if modified := self.headers.get("X-OC-Mtime"):
                    os.utime(partial, (int(modified), int(modified)))
                os.replace(partial, local(path))
                tree.change(path)
                answer = (201 if is_new else 204, self.identity(path) + [("X-OC-MTime", "accepted")])
        self.answer(*answer)

    do_GET = do_PUT = do_PROPFIND = do_MKCOL = do_DELETE = do_MOVE = serve

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        """The client was killed."""


for name in (files, received, sent):
    os.mkdir(name)
with Server(("127.0.0.1", 0), Handler) as server:
    with open(os.path.join(directory, "port.new"), "w") as file:
        file.write(str(server.server_address[1]))
    os.rename(file.name, os.path.join(directory, "port"))
    server.serve_forever()
