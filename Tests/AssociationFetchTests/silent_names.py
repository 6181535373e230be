# SPDX-License-Identifier: Apache-2.0
"""A name server that never answers, at 127.0.0.1 in a network of its own. Returns when it listens, and ends with the
process that called it."""
import fcntl, os, socket, struct

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
flags = struct.unpack("16xH", fcntl.ioctl(server, SIOCGIFFLAGS, struct.pack("16sH14x", b"lo", 0))[:18])[0]
fcntl.ioctl(server, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
server.bind(("127.0.0.1", 53))
server.settimeout(1)
caller = os.getppid()
if os.fork():
    os._exit(0)
while True:
    try:
        os.kill(caller, 0)
        server.recv(1024)
    except TimeoutError:
        pass
    except ProcessLookupError:
        break
