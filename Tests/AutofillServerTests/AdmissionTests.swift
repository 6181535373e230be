// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PeerIdentity
import Testing

@testable import AutofillServer

@Suite("Admission of connections")
struct AdmissionTests {
    private func flatpak(_ app: String, process: Int32) -> Admission.Program {
        var evidence = PeerEvidence.process(process)
        evidence.sandbox = .flatpak(FlatpakInstance(appID: app), .deployed(installation: "system", files: "/f"))
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

    @Test("All programs in sandboxes that are no deployed Flatpak's have as many connections together as one Flatpak")
    func otherSandboxes() {
        var others: [PeerEvidence] = []
        for sandbox in [SandboxEvidence.none, .unreadable(errno: 13), .malformed("it is not a file")] {
            var evidence = PeerEvidence.process(1)
            (evidence.sandbox, evidence.isApart) = (sandbox, true)
            others.append(evidence)
        }
        var inMounts = PeerEvidence.process(2)
        inMounts.mountNamespaceDiffers = true
        let path = "/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.example.Shop-7.scope"
        inMounts.controlGroup = ControlGroup(procFile: Array("0::\(path)\n".utf8))
        let deployments: [FlatpakDeployment] = [
            .differs("nothing is deployed here"), .served(files: "/f"), .proxied(installation: "system", files: "/f"),
        ]
        for (app, deployment) in zip(["org.example.Shop", "org.example.Bank", "org.example.Shop"], deployments) {
            var evidence = PeerEvidence.process(3)
            evidence.sandbox = .flatpak(FlatpakInstance(appID: app), deployment)
            others.append(evidence)
        }
        let admission = Admission(descriptors: 100_000)
        #expect(taken(by: Admission.Program(inMounts), admission) == Limits.connectionsPerSandbox)
        for evidence in others { #expect(taken(by: Admission.Program(evidence), admission) == 0) }
        #expect(taken(by: flatpak("org.example.Shop", process: 4), admission) == Limits.connectionsPerSandbox)
        #expect(taken(by: Admission.Program(.process(5)), admission) == admission.quota)
    }

    @Test("For the loop's time, programs in sandboxes that are no deployed Flatpak's count by their unit")
    func sandboxesOnLoop() {
        func evidence(_ scope: String?) -> PeerEvidence {
            var evidence = PeerEvidence.process(1)
            evidence.isApart = true
            let path = "/user.slice/user-1000.slice/user@1000.service/app.slice/"
            evidence.controlGroup = scope.flatMap { ControlGroup(procFile: Array("0::\(path)\($0)\n".utf8)) }
            return evidence
        }
        func program(_ evidence: PeerEvidence) -> Admission.Program { Admission.Program(evidence).forLoop(evidence) }
        let flood = program(evidence("app-org.example.Flood-7.scope"))
        #expect(flood == program(evidence("app-org.example.Flood-7.scope")))
        #expect(flood != program(evidence("libpod-12ab.scope")) && flood != program(evidence(nil)))
        var outside = evidence("app-org.example.Flood-7.scope")
        outside.isApart = false
        #expect(flood != program(outside) && program(outside) == Admission.Program(outside))
        let shop = flatpak("org.example.Shop", process: 1)
        #expect(shop.forLoop(evidence("app-flatpak-org.example.Shop-7.scope")) == shop)
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
