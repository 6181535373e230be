// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("Settings of the real daemon", .blocking)
struct SettingsReloadTests {
    @Test("An edited file takes effect after SIGHUP, subscribers are notified, and the administrator's settings stay")
    func reload() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let system = folder + "/system.json"
        try #"{"lockWhenIdleMinutes": 10, "mandatory": ["lockWhenIdleMinutes"]}"#.write(
            toFile: system, atomically: false, encoding: .utf8)
        let daemon = try DaemonProcess(isEphemeral: false, arguments: ["--system-settings", system])
        let control = try SocketConnection(to: daemon.socket)
        try control.hello("org.autofilld.autofillctl")
        try control.call("event.subscribe")
        let file = daemon.folder + "/settings.json"
        try #"{"autoFill": false, "lockWhenIdleMinutes": 1}"#.write(toFile: file, atomically: false, encoding: .utf8)
        kill(daemon.process.processIdentifier, SIGHUP)
        let line = try control.line()
        #expect(line.contains(#""type":"settingsChanged""#) && line.contains(#""changed":["autoFill"]"#), "\(line)")
        let idle = try control.call("admin.setting.get", ["setting": "lockWhenIdleMinutes"])
        #expect(idle.result?["value"] as? Int == 10 && idle.result?["mandatory"] as? Bool == true)
        func autoFill() throws -> Bool? {
            try control.call("admin.setting.get", ["setting": "autoFill"]).result?["value"] as? Bool
        }
        #expect(try autoFill() == false)
        let status = try control.call("status").daemon
        #expect((status?["problems"] as? [String])?.contains { $0.contains("lockWhenIdleMinutes") } == true)
        // A file with an error changes nothing, and the journal names the error.
        try #"{"autoFil": true}"#.write(toFile: file, atomically: false, encoding: .utf8)
        kill(daemon.process.processIdentifier, SIGHUP)
        #expect(
            try control.call("admin.setting.set", ["setting": "logLevel", "value": "debug"]).reasons == [
                "settings-invalid"
            ])
        // Signals and requests are received separately: an answer does not mean that the signal has been handled.
        try daemon.awaitLog(#"Did you mean "autoFill"?"#)
        #expect(try autoFill() == false)
        #expect(daemon.terminate() == 0)
    }
}
