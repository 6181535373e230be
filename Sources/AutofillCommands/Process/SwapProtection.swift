// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Systemd

/// A scope of the user's service manager, whose memory is never written to swap (systemd.resource-control(5)).
enum SwapProtection {
    /// In which the manager has to answer, and to move the process.
    private static let patience = Duration.seconds(5)

    /// Moves a process of this user, which has no secrets yet, to a scope of its own.
    ///
    /// - Returns: whether it is there; it is not where the user has no service manager, or where it refuses.
    @discardableResult
    static func cover(_ process: pid_t, _ environment: ProcessEnvironment = .current) -> Bool {
        let scope = "autofill-convert-\(process).scope"
        let manager = "org.freedesktop.systemd1"
        do throws(BusError) {
            let bus = try BlockingBus(at: environment.sessionBus, patience: patience)
            _ = try bus.call(manager, "/org/freedesktop/systemd1", "\(manager).Manager", "StartTransientUnit") {
                (message) throws(BusError) in
                try message.append(scope)
                try message.append("fail")
                try message.write("a", of: "(sv)") { () throws(BusError) in
                    try message.write("r", property: "PIDs", "au") { () throws(BusError) in
                        try message.write("a", of: "u") { () throws(BusError) in try message.append(UInt32(process)) }
                    }
                    try message.write("r", property: "MemorySwapMax", "t") { () throws(BusError) in
                        try message.append(UInt64(0))
                    }
                }
                try message.write("a", of: "(sa(sv))") { () throws(BusError) in }
            }
        } catch {
            return false
        }
        // The answer comes before the move.
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/cgroup", encoding: .utf8) else {
                return false
            }
            if text.contains("/\(scope)") { return true }
            usleep(1000)
        }
        return false
    }
}
