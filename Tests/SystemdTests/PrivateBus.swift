// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A real dbus-daemon of a test's own, which can be ended and started again at the same address.
final class PrivateBus {
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")

    let address: String
    private let directory: String
    private var process: pid_t = 0
    private var ready: Int32 = -1

    init() throws {
        var template = Array("/tmp/autofill-bus-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        directory = String(cString: try #require(mkdtemp(&template)))
        address = "unix:path=\(directory)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow own="*"/>
            <allow receive_sender="*"/></policy></busconfig>
            """
        try configuration.write(toFile: "\(directory)/config", atomically: false, encoding: .utf8)
        try begin()
    }

    deinit {
        end()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Returns when it answers.
    func begin() throws {
        let output = "\(directory)/output"
        unlink(output)
        try #require(mkfifo(output, 0o600) == 0)
        // Open for reading and writing, neither side waits for the other to open it; without a reader a write would end
        // the daemon.
        ready = open(output, O_RDWR | O_CLOEXEC)
        let program = ["/usr/bin/dbus-daemon", "--nofork", "--config-file=\(directory)/config", "--print-address=1"]
        process = try start(program, environment: [:], output: output)
        var byte: UInt8 = 0
        repeat { try #require(read(ready, &byte, 1) == 1) } while byte != UInt8(ascii: "\n")
    }

    func end() {
        guard process > 0 else { return }
        kill(process, SIGKILL)
        _ = wait(for: process)
        process = 0
        close(ready)
        unlink("\(directory)/bus")
    }
}
