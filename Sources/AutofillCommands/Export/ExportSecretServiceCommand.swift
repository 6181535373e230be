// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct ExportSecretServiceCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "secret-service", abstract: "Writes what is saved to the keyring that runs.",
        discussion: """
            For whoever leaves for gnome-keyring or KWallet: writes passwords, one-time codes and notes to its default \
            keyring, over an encrypted session of D-Bus. Each has the attributes server, protocol and user, as other \
            programs write and find them. What is there already with the same secret is left as it is, so that the \
            command can run again; where another secret is there, it is listed, and kept without --force. What has no \
            place there is listed by title. Each exported credential is a recorded release: autofillctl log.

            Any program of yours can read an unlocked keyring.

            Example:
              autofillctl export secret-service
              secret-tool lookup server shop.example.com user ann
            """)

    @Option(help: ArgumentHelp("Only what is saved for this domain and the names below it.", valueName: "site"))
    var only: String?
    @Flag(help: "Replace another secret that is there.") var force = false
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let only = try only.map { site throws(CommandFailure) in try DomainName(argument: site) }
        var keyring = try KeyringExport(replacing: force, .current)
        let session = try await service.sessionWithVault(reconnects: false)
        try confirm(
            "Write passwords to the keyring of \(keyring.service.printable), which all your programs can read?",
            unless: yes)
        let proof = try await proof.secret(session)
        _ = try await session.call(ExportBegin(only: only.map(ServiceIdentifier.init), proof: proof))
        try await session.readExport(showingProgressOn: format.json ? nil : console) { page throws(CommandFailure) in
            try keyring.add(page)
        }
        report(keyring, console)
    }

    private func report(_ keyring: KeyringExport, _ console: Console) {
        if format.json {
            return console.print { writer in
                writer.member("service", keyring.service)
                writer.member("written", Int64(keyring.written))
                writer.member("identical", Int64(keyring.identical))
                keyring.missing.write(as: "notExported", to: &writer)
            }
        }
        keyring.missing.show(under: "NOT EXPORTED", limit: .max, console)
        console.print(
            "\(keyring.written.counted("secret")) written to the keyring of \(keyring.service.printable), "
                + "\(keyring.identical) there already.")
    }
}
