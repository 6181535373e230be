// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import SecretMemory

struct SaveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Saves a password that you type.",
        usage: """
            autofillctl save <site> [<user>] [--password-fd <n>] [--label <text>] [--tag <tag> ...] [--notes-fd <n>] \
            [proof options] [common options]
            """,
        discussion: """
            The password is read from the terminal, or from --password-fd; the former one is kept.

            Examples:
              autofillctl save shop.example.com jo@example.com
              autofillctl save shop.example.com jo --password-fd 0 < password
              autofillctl save shop.example.com jo --label Shop --tag work
            """)

    @OptionGroup var credential: CredentialArguments

    @Option(
        name: .customLong("password-fd"),
        help: ArgumentHelp("Read the password to save from this open descriptor (the first line).", valueName: "n"))
    var passwordDescriptor: Int32?

    @OptionGroup var details: DetailOptions

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let (session, proof) = try await service.proven(self.proof)
        let (service, user) = try await credential.targetToSave(session, proof)
        let name = "\(user.printable) at \(service.value.printable)"
        let answer = try await session.call(
            CredentialSave(
                service: service, user: user, password: try password(of: name), changes: try details.changes(),
                proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed ? "Saved the password of \(name)." : "unchanged: \(answer.credential)", console)
    }

    private func password(of name: String) throws(CommandFailure) -> SecretBytes {
        if let passwordDescriptor {
            return try HiddenInput.read(descriptor: passwordDescriptor, limit: Limits.passwordBytes)
        }
        return try HiddenInput.askTwice(
            "Password of \(name): ", limit: Limits.passwordBytes,
            elsewhere: "Add --password-fd N")
    }
}
