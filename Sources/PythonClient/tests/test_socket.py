# SPDX-License-Identifier: Apache-2.0
import errno
import os
import resource
import socket
import tempfile
import threading
import unittest

import autofill_client as autofill
from autofill_client import _socket


class SocketTests(unittest.TestCase):
    """protocol.md, "Reaching the daemon": each failure is an error, at once."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.path = folder.name + "/s"

    def expect(self, kind, path=None, patience=5.0):
        with self.assertRaises(kind) as caught:
            autofill.Client("org.example.Shop", path or self.path, patience=patience)
        self.assertIsInstance(caught.exception, autofill.Unavailable)
        self.assertEqual([reason.reason for reason in caught.exception.reasons], [kind.word])
        self.assertTrue(caught.exception.reasons[0].fix)

    def test_the_socket_is_found_by_the_environment(self):
        self.assertEqual(_socket.find(None, {"AUTOFILLD_SOCKET": "/a", "XDG_RUNTIME_DIR": "/run/user/1"}), "/a")
        self.assertEqual(_socket.find(None, {"XDG_RUNTIME_DIR": "/run/user/1"}), "/run/user/1/autofilld/socket")
        self.assertEqual(_socket.find("/b", {"AUTOFILLD_SOCKET": "/a"}), "/b")
        for environment in ({}, {"XDG_RUNTIME_DIR": ""}):
            with self.assertRaises(autofill.NoSession):
                _socket.find(None, environment)

    def test_there_is_no_socket(self):
        self.expect(autofill.NotInstalled)

    def test_nobody_listens(self):
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(self.path)
            self.expect(autofill.NotRunning)

    def test_a_path_of_108_bytes_is_too_long(self):
        self.expect(autofill.PathTooLong, "/tmp/" + "ä" * 51 + "x")
        self.expect(autofill.NotInstalled, "/tmp/" + "ä" * 51)

    def test_no_descriptor_is_left(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with open("/dev/null") as file:
            resource.setrlimit(resource.RLIMIT_NOFILE, (file.fileno(), hard))
            try:
                self.expect(autofill.NoSocket)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_the_socket_is_not_for_this_user(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path)
            listener.listen()
            os.chmod(self.path, 0)
            user = os.geteuid()
            try:
                if user == 0:
                    # Root may connect to every socket.
                    os.seteuid(65_534)
                self.expect(autofill.NotPermitted)
            finally:
                os.seteuid(user)

    def test_what_each_errno_means(self):
        for number, inside, outside in [
            (errno.EACCES, "notPermitted", "notPermitted"), (errno.EPERM, "notPermitted", "notPermitted"),
            (errno.ECONNREFUSED, "notRunning", "notRunning"), (errno.EAGAIN, "notResponding", "notResponding"),
            (errno.ENOENT, "notReachable", "notInstalled"), (errno.ENOTDIR, "notReachable", "notInstalled"),
        ]:
            self.assertEqual(_socket.unavailable(number, True).word, inside)
            self.assertEqual(_socket.unavailable(number, False).word, outside)

    def test_what_accepts_and_is_silent_is_given_up(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path)
            listener.listen()
            self.expect(autofill.NotResponding, patience=0.2)

    def test_what_accepts_and_ends_does_not_respond(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path)
            listener.listen()
            thread = threading.Thread(target=lambda: listener.accept()[0].close())
            thread.start()
            self.expect(autofill.NotResponding)
            thread.join()

    def test_where_no_more_may_wait_it_is_given_up(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path)
            listener.listen(0)
            with socket.socket(socket.AF_UNIX) as first:
                first.connect(self.path)
                self.expect(autofill.NotResponding, patience=0.2)
