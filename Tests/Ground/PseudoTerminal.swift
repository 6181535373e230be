// SPDX-License-Identifier: Apache-2.0
package import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// What was waited for on a terminal, and what it showed.
package struct NeverAppeared: Error, CustomStringConvertible {
    package let description: String

    init(text: String, shown: [UInt8]) {
        description = "\(text) never appeared, but \(String(decoding: shown, as: UTF8.self))"
    }
}

/// A pseudo-terminal: the output of a program on it, and the user's input.
package final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    package let name: String

    package init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var lock: Int32 = 0
        // ioctl_tty(2): what unlockpt(3) and ptsname(3) do, which Glibc's overlay lacks.
        guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw POSIXError(.ENOTTY)
        }
        name = "/dev/pts/\(number)"
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        guard slave >= 0, ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENOTTY) }
    }

    deinit {
        close(slave)
        close(master)
    }

    /// The program's end, to start one on it.
    package func handle() throws -> FileHandle {
        let descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Can be read when something is shown.
    package var screen: Int32 { master }

    /// What is shown now, some kilobytes at most; waits where that is nothing.
    package func take() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            filled = max(0, Glibc.read(master, buffer.baseAddress, buffer.count))
        }
    }

    /// All that was shown until a text has appeared.
    package func read(until text: String) throws -> String {
        var shown: [UInt8] = []
        while true {
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 60_000) == 1 else { throw NeverAppeared(text: text, shown: shown) }
            let chunk = take()
            guard !chunk.isEmpty else { throw NeverAppeared(text: text, shown: shown) }
            shown += chunk
            let screen = String(decoding: shown, as: UTF8.self)
            if screen.contains(text) { return screen }
        }
    }

    package func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard write(master, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
    }
}

/// A pinentry for terminals, as it is installed.
package enum PinentryProgram: String, CaseIterable, Sendable {
    case tty = "/usr/bin/pinentry-tty"
    case curses = "/usr/bin/pinentry-curses"

    package static var installed: [PinentryProgram] {
        allCases.filter { FileManager.default.isExecutableFile(atPath: $0.rawValue) }
    }

    /// The last text on its screen when it waits for the user. `no`: its second button.
    package func ready(_ no: String) -> String { self == .tty ? "]? " : "\(no)>" }

    /// The user's input for the button for yes: pinentry-curses begins on the other one.
    package func yes(_ button: String) -> String { self == .tty ? String(button.prefix(1).lowercased()) : "\t\r" }

    package func no(_ button: String) -> String { self == .tty ? String(button.prefix(1).lowercased()) : "\r" }
}
