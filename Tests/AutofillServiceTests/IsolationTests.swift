// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Prompting
import Support
import Testing

/// Registrations of two apps that share an access group count only where they are root's; elsewhere they are the same
/// without it.
let isolated: (registrations: String, group: String?, keeper: TestRegistrations?) = {
    let shared = TestFiles.sharedRegistrations
    let status = try? TestService(registrations: shared).connect(as: "org.example.Notes").call("status")
    if status?.result?["apps"] as? Int == 3 { return (shared, "org.example.suite", nil) }
    var files: [String: String] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: shared)) ?? [] {
        let text = (try? String(contentsOfFile: "\(shared)/\(name)", encoding: .utf8)) ?? ""
        files[String(name.dropLast(".json".count))] =
            text.replacingOccurrences(
                of: #",\s*"keychain-access-groups": \[.*\]"#, with: "", options: .regularExpression)
    }
    let folder = try? TestRegistrations(files)
    return (folder?.path ?? shared, nil, folder)
}()

@Suite("Nobody sees what is not theirs")
struct IsolationTests {
    /// What gives out a secret or a name where all is well.
    private static let releasing: Set<Method> = [.autofillFill, .credentialGet, .keychainGet, .verifierExport]

    @Test("With nobody to ask, each program sees only its own, by every method, in any order", .timeLimit(.minutes(10)))
    func nobodyAsked() throws {
        var own: Set<Method> = []
        for seed in 1...4 as ClosedRange<UInt64> {
            var play = try RandomPlay(seed: seed, consent: .absent)
            try play.run(steps: 600)
            for leak in play.leaks { Issue.record("seed \(seed): \(leak)") }
            #expect(play.shared.isEmpty)
            own.formUnion(play.own)
        }
        // The play can find something: each of these gave a program what was its own.
        #expect(Self.releasing.isSubset(of: own), "\(Self.releasing.subtracting(own))")
    }

    @Test("Where the person says yes to everything, nobody leaves its domain and its groups", .timeLimit(.minutes(10)))
    func allAllowed() throws {
        var shared: Set<Method> = []
        for seed in 11...14 as ClosedRange<UInt64> {
            var play = try RandomPlay(seed: seed, consent: .fixed(.once))
            try play.run(steps: 600)
            for leak in play.leaks { Issue.record("seed \(seed): \(leak)") }
            shared.formUnion(play.shared)
        }
        // Each of these gave a program what another had written.
        #expect(Self.releasing.isSubset(of: shared), "\(Self.releasing.subtracting(shared))")
    }
}

extension TestService {
    /// A program of its own that says hello as an app.
    func connect(as app: String, inode: UInt64 = 7) throws -> ServiceConnection {
        let connection = connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello(app)
        return connection
    }
}
