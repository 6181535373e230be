// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

/// A program is two subjects when it was started in two ways, and the user may answer differently about each.
@Suite("A permission and a denial that both cover a program")
struct ContraryDecisionTests {
    private static let get = CredentialGet(service: .shop)

    /// The same program as `systemProgram`, started by the desktop: the unit is named after the app.
    private var attributed: PeerEvidence {
        var evidence = PeerEvidence.systemProgram
        let line = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.Shop-77.scope\n"
        evidence.controlGroup = ControlGroup(procFile: Array(line.utf8))
        return evidence
    }

    private func connect(_ daemon: TestService, _ evidence: PeerEvidence) throws -> ServiceConnection {
        let connection = daemon.connect(evidence)
        try connection.greet()
        return connection
    }

    /// - Parameter answers: of the user about the program as it is better known, then as it is less known.
    @Test(
        "The denial counts, whichever is older",
        arguments: [[ConsentAnswer.allow, .never], [.never, .allow]])
    func both(_ answers: [ConsentAnswer]) throws {
        let daemon = try TestService(consent: .user)
        let user = try daemon.user()
        try user.answer(to: CredentialSave("ann", "s3cret", proof: .test))
        for (evidence, answer) in zip([attributed, .systemProgram], answers) {
            let sent = try connect(daemon, evidence).send(Self.get)
            #expect(sent.waits, "the decision about one does not cover the other")
            try daemon.answer(try #require(daemon.questions.first), answer)
            #expect(try sent.reasons() == (answer == .allow ? [] : ["grant-denied"]))
        }
        let grants = try user.answer(to: GrantList(proof: .test)).grants
        #expect(Set(grants.map(\.decision)) == ["allow", "deny"] && Set(grants.map(\.assurance)).count == 2)
        #expect(try connect(daemon, attributed).reasons(for: Self.get) == ["grant-denied"])
        #expect(daemon.questions.isEmpty)
    }
}
