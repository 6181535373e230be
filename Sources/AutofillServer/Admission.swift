// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PeerIdentity

/// How many connections may be open. Each uses memory and two descriptors, three where it was passed one, and the vault
/// and the inspection of a new peer must always have descriptors. A client beyond the limit waits in the socket's
/// backlog. One program gets at most seven eighths of the connections, one in a sandbox fewer.
final class Admission {
    /// The unit that counts as one program, with any number of processes and bundle IDs.
    enum Program: Hashable {
        /// The ID of the app in it; empty for all programs in sandboxes that are not of a deployed Flatpak, and for the
        /// loop's time "unit NAME" for those of one systemd unit.
        case sandbox(String)
        case unit(String)
        case process(Int32)

        init(_ evidence: PeerEvidence) {
            if case .flatpak(let instance, .deployed) = evidence.sandbox {
                self = .sandbox(instance.appID)
            } else if !evidence.isOutsideSandbox {
                self = .sandbox("")
            } else if evidence.appUnit != nil, let unit = evidence.controlGroup?.unit {
                self = .unit(unit)
            } else {
                self = .process(evidence.process)
            }
        }

        /// What the loop's time counts for: a program in a sandbox does not choose its unit, so those of one unit keep no
        /// other's waiting.
        func forLoop(_ evidence: PeerEvidence) -> Program {
            guard self == .sandbox(""), let unit = evidence.controlGroup?.unit else { return self }
            return .sandbox("unit \(unit)")
        }
    }

    private let limit: Int
    private var all = 0
    private var byProgram: [Program: Int] = [:]

    convenience init() {
        var descriptors = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors)
        self.init(descriptors: Int(clamping: descriptors.rlim_cur))
    }

    init(descriptors: Int) { limit = min(Limits.connections, max(2, (descriptors - Limits.reservedDescriptors) / 3)) }

    /// How many connections one program may have.
    var quota: Int { limit - limit / 8 }

    var hasCapacity: Bool { all < limit }

    /// Counts a connection of any program.
    func enter() { all += 1 }

    /// Ends a connection whose program was not identified.
    func leave() { all -= 1 }

    /// Counts it as the program's; false, with nothing counted, where that has used its quota.
    func reserve(for program: Program) -> Bool {
        var quota = quota
        if case .sandbox = program { quota = min(quota, Limits.connectionsPerSandbox) }
        let count = byProgram[program, default: 0]
        guard count < quota else { return false }
        byProgram[program] = count + 1
        return true
    }

    /// Ends a connection of the program.
    func leave(_ program: Program) {
        all -= 1
        let count = byProgram[program, default: 1] - 1
        byProgram[program] = count > 0 ? count : nil
    }
}
