// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillProtocol
import Credentials
import PeerIdentity
import Reasons
import Support
import Testing

@testable import AutofillMethods
@testable import AutofillService
@testable import Prompting

/// All that an app can choose, as long as it likes, in the prompts about it.
@Suite("The longest prompts")
struct PromptLengthTests {
    private static let texts = ["a", "%", "<", "銀", "\u{1}", "\u{E0001}", "\u{10FFFF}"].map {
        String(repeating: $0, count: 5000)
    }

    /// An app for which a delegate acts, both with paths of such a text.
    private func evidence(
        _ text: String, _ assurance: Assurance?, runsScript: Bool = true, isApart: Bool = false
    ) throws -> PromptedEvidence {
        let identity = ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5)
        let delegate = PeerEvidence(
            process: .max, user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .file(ExecutableFile(path: "/" + text, identity: identity, owner: 0, location: .rootOwned)),
            controlGroup: nil, sandbox: .none, mountNamespaceDiffers: false, login: "boot/session")
        let executables = [RegisteredExecutable(path: "/" + text, identity: identity, isRootOwned: true)]
        let identification = try delegate.identification(
            claiming: "org.example.Delegate",
            registration: RegistrationEvidence(origin: .administrator, executables: executables))
        let connection = DelegateConnection(
            program: try delegate.delegate(
                identifiedAs: identification, among: [DelegateEvidence(name: "d", executables: executables)]),
            bundleID: try BundleIdentifier("org.example.Delegate"),
            peer: Peer(evidence: delegate, confirm: {}, contentHash: nil), evidence: text)
        var program = delegate
        program.isApart = isApart
        guard runsScript else {
            return PromptedEvidence(
                name: text, bundleID: text, assurance: assurance, peer: program, delegate: connection)
        }
        var interpreter = program
        interpreter.executable = .file(
            ExecutableFile(
                path: "/" + text, identity: identity, owner: 0, location: .rootOwned, interpreter: .electron))
        // What has namespaces of its own runs no known script; what started it is shown.
        return PromptedEvidence(
            name: text, bundleID: text, assurance: assurance, peer: interpreter,
            script: isApart ? nil : Script(path: "/" + text, hash: ""),
            starter: Starter(evidence: program, script: nil), delegate: connection)
    }

    private func grantees(_ text: String) -> Grantees {
        let subject = Subject(app: text, assurance: "claimed", executable: text)
        return Grantees(untilLogout: subject, always: subject)
    }

    /// With the list of answers, which GNOME shows below each question of two buttons.
    private func expectWhole(_ prompt: Prompt, _ comment: Comment) {
        #expect(
            AssuanText.line("SETDESC", prompt.listing) != nil, "\(AssuanText.length(of: prompt.listing)): \(comment)")
        #expect(prompt.description.split(separator: "\n").last?.hasPrefix("Identity: ") == true, comment)
    }

    @Test("A question about an app has its identity, whatever the app has chosen", arguments: texts)
    func consent(text: String) throws {
        let matters: [ConsentQuestion.Matter] = [.fill, .save(user: text, isReplacing: true), .approval, .own]
        for assurance in [nil] + Assurance.allCases {
            for runsScript in [false, true] {
                let evidence = try evidence(text, assurance, runsScript: runsScript)
                for (matter, kind) in matters.flatMap({ matter in [Service.Kind.domain, .keychain].map { (matter, $0) }
                }) {
                    let detail =
                        matter.kind == .save
                        ? "It replaces the password that is saved for this user name." : text
                    let question = ConsentQuestion(
                        matter: matter, subject: Subject(app: text, assurance: "claimed", executable: text),
                        service: Service(kind: kind, value: text), grantees: grantees(text), detail: detail,
                        evidence: evidence, ownName: PromptedItems.named([text, text]),
                        unasked: Refusal(.grantMissing))
                    for prompt in [question.first, question.afterYes, question.afterNo].compactMap(\.self) {
                        expectWhole(prompt, "\(matter.kind) \(kind)")
                    }
                }
            }
        }
    }

    @Test("A question about several keychain items has its identity, whatever they are called", arguments: texts)
    func items(text: String) throws {
        for count in [1, 5, 500] {
            let names = (0..<count).map { _ in PromptedItems.shown(text) }
            let items = PromptedItems(
                ids: (0..<count).map { ObjectID(kind: .item, high: 0, low: UInt64($0)) }, grants: [], whole: names,
                owners: names, labels: [String](repeating: text, count: min(count, 5)))
            let question = ConsentQuestion(
                matter: .read(items), subject: Subject(app: text, assurance: "claimed", executable: text),
                service: Service(kind: .keychain, value: text), grantees: grantees(text), detail: "",
                evidence: try evidence(text, .claimed), unasked: Refusal(.grantMissing))
            for prompt in [question.first, question.afterYes].compactMap(\.self) {
                expectWhole(prompt, "\(count)")
            }
        }
    }

    @Test("A prompt that is a proof has its identity, whatever is to be done", arguments: texts)
    func proof(text: String) throws {
        // The longest of the methods' own words: those of credential.update and credential.save.
        let name = shownName(text)
        let services = ", also filled at \(name) and its whole site and \(name) and its whole site"
        let texts = [
            "change the details of the password saved for \(name) at \(name)\(services)",
            "save a password for \(name) at \(name)\(services), whoever saved the former",
        ]
        for assurance in [nil] + Assurance.allCases {
            for isApart in [false, true] {
                for runsScript in [false, true] {
                    let evidence = try evidence(text, assurance, runsScript: runsScript, isApart: isApart)
                    for words in texts {
                        let prompt = Prompt(
                            title: ConsentQuestion.title,
                            description: "\(evidence.name) wants to \(words).\n\n\(evidence.lines)",
                            kind: .confirm(yes: "Allow", no: "Do not allow"))
                        expectWhole(prompt, "\(words.prefix(6)) \(text.prefix(1))")
                    }
                }
            }
        }
    }
}
