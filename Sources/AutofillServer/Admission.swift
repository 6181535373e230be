// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PeerIdentity

/// How many connections there may be: each takes memory, and two descriptors as long as it lasts, three where it was
/// passed one, and the vault and the look at a new peer must never be out of these. Who finds no room waits in the socket's backlog; one program gets at
/// most seven eighths, and one that is shut in a sandbox less.
final class Admission {
    /// What counts as one program, however many processes and bundle IDs it has.
    enum Program: Hashable {
        case sandbox(String)
        case unit(String)
        case process(Int32)

        init(_ evidence: PeerEvidence) {
            if case .flatpak(let instance, _) = evidence.sandbox {
                self = .sandbox(instance.appID)
            } else if evidence.appUnit != nil, let unit = evidence.controlGroup?.unit {
                self = .unit(unit)
            } else {
                self = .process(evidence.process)
            }
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

    /// As many may be one program's.
    var share: Int { limit - limit / 8 }

    var hasRoom: Bool { all < limit }

    /// A connection is there, whoever it is.
    func enter() { all += 1 }

    /// It has gone, before it was known whose it is.
    func leave() { all -= 1 }

    /// Counts it as the program's; false, with nothing counted, where that has its share.
    func take(for program: Program) -> Bool {
        var share = share
        if case .sandbox = program { share = min(share, Limits.connectionsPerSandbox) }
        let count = byProgram[program, default: 0]
        guard count < share else { return false }
        byProgram[program] = count + 1
        return true
    }

    /// It has gone, with what was taken for its program.
    func leave(_ program: Program) {
        all -= 1
        let count = byProgram[program, default: 1] - 1
        byProgram[program] = count > 0 ? count : nil
    }
}
