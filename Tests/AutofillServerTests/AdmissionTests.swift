// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PeerIdentity
import Testing

@testable import AutofillServer

@Suite("Admission of connections")
struct AdmissionTests {
    private func flatpak(_ app: String, process: Int32) -> Admission.Program {
        var evidence = PeerEvidence.process(process)
        evidence.sandbox = .flatpak(FlatpakInstance(appID: app), .differs("nothing is deployed here"))
        return Admission.Program(evidence)
    }

    /// Counts as many as are let in, at most `limit`.
    private func taken(by program: Admission.Program, _ admission: Admission, limit: Int = 100_000) -> Int {
        for count in 0..<limit {
            guard admission.hasCapacity else { return count }
            admission.enter()
            if !admission.reserve(for: program) {
                admission.leave()
                return count
            }
        }
        return limit
    }

    @Test("All processes of a sandboxed app are one program, and have so many connections; another app has as many")
    func sandbox() {
        let admission = Admission(descriptors: 100_000)
        #expect(taken(by: flatpak("org.example.Shop", process: 1), admission) == Limits.connectionsPerSandbox)
        #expect(taken(by: flatpak("org.example.Shop", process: 2), admission) == 0)
        #expect(taken(by: flatpak("org.example.Bank", process: 3), admission) == Limits.connectionsPerSandbox)
        admission.leave(flatpak("org.example.Shop", process: 1))
        #expect(taken(by: flatpak("org.example.Shop", process: 2), admission) == 1)
    }

    @Test("One program outside of a sandbox leaves an eighth to others, of the descriptors or of the limit")
    func process() {
        for (descriptors, all) in [(64 + 3 * 800, 800), (1 << 20, Limits.connections)] {
            let admission = Admission(descriptors: descriptors)
            let first = Admission.Program(.process(1))
            let second = Admission.Program(.process(2))
            #expect(taken(by: first, admission) == all - all / 8)
            #expect(taken(by: second, admission) == all / 8)
            #expect(!admission.hasCapacity)
        }
    }

    @Test("The processes of an app's unit are one program")
    func unit() {
        func program(_ process: Int32) -> Admission.Program {
            var evidence = PeerEvidence.process(process)
            let path = "/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.example.Shop-7.scope"
            evidence.controlGroup = ControlGroup(procFile: Array("0::\(path)\n".utf8))
            return Admission.Program(evidence)
        }
        let admission = Admission(descriptors: 64 + 3 * 80)
        #expect(taken(by: program(1), admission) == 70)
        #expect(taken(by: program(2), admission) == 0)
    }
}

extension PeerEvidence {
    fileprivate static func process(_ number: Int32) -> PeerEvidence {
        var evidence = testProcess
        evidence.process = number
        return evidence
    }
}
