// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SecretServiceStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the Secret Service's owner and state.",
        discussion: """
            If it is enabled and the name has no owner, this command makes the bus start autofill-secrets. The line portal \
            shows whether sandboxed apps get the secret with which they seal their own data.

            Example:
              autofillctl secret-service status
            """)

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        var state = try SecretServiceState(.current)
        state.inspect(vault: (try? await service.session())?.greeting.vault)
        if format.json {
            console.print { state.write(to: &$0) }
        } else {
            for line in state.lines { console.print(line.printable) }
        }
        if !state.problems.isEmpty { throw CommandFailure(.refused, []) }
    }
}

/// Whether apps that use the Secret Service are served from the vault, and what prevents it.
struct SecretServiceState {
    let isEnabled: Bool
    private(set) var owner: SessionBus.Owner?
    /// nil if autofill-secrets does not own the name.
    private(set) var portal: SecretPortalState?
    private(set) var problems: [(message: String, fix: String)] = []

    init(_ environment: ProcessEnvironment) throws(CommandFailure) {
        let setup = try SecretServiceSetup(environment)
        isEnabled = setup.isEnabled
        guard let bus = SessionBus(environment) else {
            problems.append(("There is no session bus, or busctl is not installed", "Log in, or install systemd"))
            return
        }
        owner = try bus.owner()
        if let owner, !owner.isOwn {
            problems.append(
                isEnabled
                    ? (
                        "\(owner.name) still owns the name",
                        "Log out and in again" + (setup.release(by: owner).map { ", or run: \($0)" } ?? "")
                    )
                    : ("\(owner.name) owns the name", "Run: autofillctl secret-service enable"))
            return
        }
        guard isEnabled || owner != nil else {
            problems.append(("It is not enabled", "Run: autofillctl secret-service enable"))
            return
        }
        // Whether it is accepted as a delegate of this program, and the service behind it answers.
        let answer = try bus.call(
            SecretServiceNames.bus, SecretServiceNames.root, "org.freedesktop.DBus.Properties", "Get",
            ["ss", "org.freedesktop.Secret.Service", "Collections"])
        if owner == nil { owner = try bus.owner() }
        if let error = answer.error {
            problems.append(("It does not answer: \(error)", "Run: autofillctl next"))
        }
        portal = try SecretPortalState(bus)
    }

    /// A missing vault is the only problem of a name that autofill-secrets owns.
    mutating func inspect(vault: VaultState?) {
        guard owner?.isOwn == true, vault == .missing else { return }
        problems = [("There is no vault yet", "Run: autofillctl vault create")]
    }

    var lines: [String] {
        let name = SecretServiceNames.bus
        var lines = [owner.map { "\(name): \($0.program) (process \($0.processID))" } ?? "\(name): no owner"]
        lines.append("enabled: \(isEnabled ? "yes" : "no")")
        if let portal { lines.append("portal: \(portal.line)") }
        if problems.isEmpty { lines.append("It works.") }
        return lines + problems.flatMap { ["problem: \($0.message)", "  Fix: \($0.fix)"] }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("enabled", isEnabled)
        writer.member("owner", orNull: owner?.program)
        writer.member("process", orNull: owner.map { Int($0.processID) })
        writer.member("portal", orNull: portal?.rawValue)
        writer.member("works", problems.isEmpty)
        writer.key("problems")
        writer.array { writer in
            for problem in problems {
                writer.object { writer in
                    writer.member("message", problem.message)
                    writer.member("fix", problem.fix)
                }
            }
        }
    }
}

extension ProcessEnvironment {
    /// The path of autofill-secrets: beside this program, else in PATH.
    func secretServiceProgram() throws(CommandFailure) -> String {
        let name = SecretServiceSetup.program
        if let own = DaemonProgram.own, let last = own.lastIndex(of: "/") {
            let beside = "\(own[..<last])/\(name)"
            if isExecutable(beside) { return beside }
        }
        guard let found = program(name) else {
            throw CommandFailure(
                .noInput, "\(name) is neither beside this program nor in PATH",
                fix: "Install autofilld: systemd/install"
            )
        }
        return found
    }
}
