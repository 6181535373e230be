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
    let status = try? TestService(registrations: shared).connect(as: "org.example.Notes").answer(to: Status())
    if status?.daemon?.apps == 4 { return (shared, "org.example.suite", nil) }
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

/// A hundred thousand requests, a million with AUTOFILL_FULL=1, of programs that want what is others': attacks.md, one
/// sandboxed app, 7; a hostile program, 1.
@Suite("Nobody sees what is not theirs")
struct IsolationTests {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
    /// Of each of twenty plays.
    private static let requests = isFull ? 50_000 : 5000
    /// What gives out a secret or a name where all is well.
    private static let releasing: Set<Method> = [.autofillFill, .credentialGet, .keychainGet, .verifierExport]

    @Test(
        "With nobody to ask, each program sees only its own, by every method, in any order, and no trace of a user's name",
        .timeLimit(.minutes(30)), arguments: 1...10 as ClosedRange<UInt64>)
    func nobodyAsked(seed: UInt64) throws {
        var play = try RandomPlay(seed: seed, consent: .absent, derivations: seed.isMultiple(of: 5) ? 1 : 0)
        try play.run(requests: Self.requests)
        for leak in play.leaks.prefix(10) { Issue.record("seed \(seed), one of \(play.leaks.count): \(leak)") }
        #expect(play.shared.isEmpty)
        // The play can find something: each of these gave a program what was its own.
        #expect(Self.releasing.isSubset(of: play.own), "\(Self.releasing.subtracting(play.own))")
        #expect(play.compared > Self.requests / 1000)
    }

    @Test(
        "Where the user says yes to everything, nobody leaves its domain and its groups", .timeLimit(.minutes(30)),
        arguments: 11...20 as ClosedRange<UInt64>)
    func allAllowed(seed: UInt64) throws {
        var play = try RandomPlay(seed: seed, consent: .fixed(.once), derivations: seed.isMultiple(of: 5) ? 1 : 0)
        try play.run(requests: Self.requests)
        for leak in play.leaks.prefix(10) { Issue.record("seed \(seed), one of \(play.leaks.count): \(leak)") }
        // Each of these gave a program what another had written.
        #expect(Self.releasing.isSubset(of: play.shared), "\(Self.releasing.subtracting(play.shared))")
    }
}
