// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("A daemon whose program is replaced", .blocking)
struct ReplacedProgramTests {
    @Test("After an upgrade the journal names the program once, and the command that restarts it")
    func journal() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = folder + "/autofilld"
        let install = #"[ -e "$0" ] || install -m 755 "$1" "$0"; shift; exec "$0" "$@""#
        let daemon = try DaemonProcess(wrapper: ["/bin/sh", "-c", install, program])
        let client = try SocketConnection(to: daemon.socket)
        try client.hello("org.autofilld.autofillctl")
        #expect(!daemon.log().contains("was replaced"))
        // As dpkg does.
        try FileManager.default.copyItem(atPath: program, toPath: program + ".new")
        try #require(rename(program + ".new", program) == 0)
        try client.call("status")
        try daemon.awaitLog(
            "\(program) was replaced; autofilld \(try version(client)) runs until it is restarted, which locks the vault: "
                + "systemctl --user try-restart autofilld")
        #expect(daemon.log().split(separator: "was replaced").count == 2)
        #expect(daemon.terminate() == 0)
    }

    private func version(_ client: SocketConnection) throws -> String {
        try #require(try client.call("status").daemon?["daemonVersion"] as? String)
    }
}
