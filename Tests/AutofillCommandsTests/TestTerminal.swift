// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestGround

/// A real terminal (pty(7)) that a test sits at.
final class TestTerminal: Sendable {
    /// Of the end that the program has.
    let path: String
    private let descriptor: Int32

    init(columns: Int) throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var lock: Int32 = 0
        // ioctl_tty(2): what unlockpt(3) and ptsname(3) do, which Glibc's overlay lacks.
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &lock) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw SystemFailure(number: errno) }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 25, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(descriptor) }

    /// Types what is to be typed when the terminal shows what it is to show, until the process ends; one that shows
    /// nothing for two minutes is killed, with what it has started.
    ///
    /// - Parameter inAnyOrder: whether each may be shown at any time, and any number of times.
    /// - Returns: all that was shown, echoes of what was typed included.
    func hold(
        _ dialogue: [(shows: String, type: String)], inAnyOrder: Bool = false, until process: Int32
    ) -> String {
        var shown: [UInt8] = []
        var seen = 0
        var rest = dialogue[...]
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: shown[seen...], as: UTF8.self)
            if let next = inAnyOrder ? dialogue.first(where: { text.contains($0.shows) }) : rest.first,
                text.contains(next.shows)
            {
                seen = shown.count
                if !inAnyOrder { rest.removeFirst() }
                _ = write(descriptor, next.type, next.type.utf8.count)
            }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = poll(&wait, 1, 120_000)
            if isReady < 0, errno == EINTR { continue }
            guard isReady == 1 else {
                // It leads a session, and so a group.
                kill(-process, SIGKILL)
                return String(decoding: shown, as: UTF8.self) + "\n(nothing more for two minutes: killed)"
            }
            let count = read(descriptor, &buffer, buffer.count)
            // EIO: the program has closed its end.
            guard count > 0 else { return String(decoding: shown, as: UTF8.self) }
            shown += buffer[..<count]
        }
    }
}
