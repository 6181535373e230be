// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Reasons

struct GetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Shows, copies or prints a saved password.",
        usage: """
            autofillctl get <site> [<user>] [--reveal] [--history] [--copy] [--seconds <n>] [proof options] \
            [common options]
            """,
        discussion: """
            The default user name is the one that was used last. If standard output is no terminal, --reveal prints only \
            the password. --copy holds it in the clipboard, by wl-copy, xclip or xsel, until the time has expired, \
            something else is copied, or Control-C; programs that keep a history of the clipboard may store it. \
            --reveal and --copy count as a release, and are recorded. Without a command, a site means get.

            Examples:
              autofillctl get shop.example.com
              autofillctl shop.example.com --copy
              autofillctl get shop.example.com jo@example.com --copy
              autofillctl get shop.example.com jo --reveal --key-file vault.key | program
            """)

    @OptionGroup var credential: CredentialArguments

    @Flag(name: .shortAndLong, help: "Print the password.")
    var reveal = false

    @Flag(help: "With --reveal on a terminal: also print the former passwords.")
    var history = false

    @OptionGroup var clipboard: ClipboardOptions

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if reveal, clipboard.copy { throw ValidationError("Give --reveal or --copy, not both.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let clipboard = try clipboard.clipboard()
        let (session, proof) = try await service.proven(self.proof)
        if let clipboard { return try await copied(to: clipboard, session, proof, console) }
        if reveal { return try await revealed(session, proof, console) }
        let summary = try await credential.find(session, proof, lastUsed: true)
        if format.json { return console.print { summary.write(to: &$0) } }
        show(summary, nil, console)
    }

    private func revealed(
        _ session: AutofillSession, _ proof: Proof, _ console: Console
    ) async throws(CommandFailure) {
        let answer = try await credential.release(session, proof)
        if format.json { return console.print { answer.write(to: &$0) } }
        guard console.isTerminal else { return console.print(String(answer.password)) }
        show(answer.summary, answer, console)
    }

    private func copied(
        to clipboard: Clipboard, _ session: AutofillSession, _ proof: Proof, _ console: Console
    ) async throws(CommandFailure) {
        let answer = try await credential.release(session, proof)
        try self.clipboard.hold(answer.password, of: answer.summary.user, in: clipboard, format.json, console)
        if format.json { console.print { answer.summary.write(to: &$0) } }
    }

    /// - Parameter answer: nil if secrets are not shown.
    private func show(_ summary: CredentialSummary, _ answer: CredentialGet.Answer?, _ console: Console) {
        let hidden = console.styled("hidden; --reveal shows it", .dim)
        if !summary.label.isEmpty { console.print("label     ", hanging: summary.label.printable) }
        console.print("user      \(summary.user.printable)")
        console.print("password  \(answer.map { String($0.password).printable } ?? hidden)")
        console.print("domain    \(summary.service.value.printable)")
        for further in summary.services.dropFirst() { console.print("also at   \(further.service.value.printable)") }
        if !summary.tags.isEmpty {
            console.print("tags      ", hanging: summary.tags.map(\.printable).joined(separator: ", "))
        }
        if !summary.collection.isEmpty { console.print("filed as  \(summary.collection.printable)") }
        for field in answer?.fields ?? [] {
            console.print("field     \(field.name.printable): \(String(field.value).printable)")
        }
        if let notes = answer?.notes {
            var lines = String(notes).split(separator: "\n", omittingEmptySubsequences: false)
            // A line feed at the end begins no line.
            if lines.last == "" { lines.removeLast() }
            for line in lines { console.print("notes     ", hanging: String(line).printable) }
        }
        if history {
            for former in answer?.history ?? [] {
                console.print("former    \(String(former.password).printable), until \(former.replaced.minute)")
            }
        }
        console.print("changed   \(summary.modified.minute)")
        console.print("last used \(summary.lastUsed?.minute ?? "never")")
        console.print("id        \(summary.credential)")
    }
}
