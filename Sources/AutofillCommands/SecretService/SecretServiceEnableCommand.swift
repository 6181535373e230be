// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct SecretServiceEnableCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Gives autofill-secrets the name of Secret Service.",
        discussion: """
            For you alone: writes the file by which the bus starts autofill-secrets, and where gnome-keyring is installed those by \
            which it leaves Secret Service alone. Says what changes and asks first, where another program has the name. What that one \
            keeps stays there; of gnome-keyring autofillctl import takes it over. A file of yours in the place of one of these is put \
            aside, with .before-autofill at its end, and disable puts it back.

            With the name comes the portal of secrets: xdg-desktop-portal asks whoever has it for the secret by which an app in a \
            sandbox (Flatpak) seals what it keeps itself. portals.conf is left as it is.

            Example:
              autofillctl secret-service enable
            """)

    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let environment = ProcessEnvironment.current
        let setup = try SecretServiceSetup(environment)
        let program = try environment.secretServiceProgram()
        let manager = UserManager(environment)
        let bus = SessionBus(environment)
        let owner = try bus?.owner()
        let files = setup.files(program: program, hasUnit: try manager?.hasUnit(SecretServiceSetup.unit) ?? false)
        let other = owner.map { $0.isOwn ? nil : $0.name } ?? setup.otherProgram
        if let other, !setup.isEnabled, !yes {
            // At the terminal, not in the result: it is what the question is about.
            for line in Self.announcement(other, files) { console.printError(line.printable) }
        }
        try confirm("Shall autofill-secrets have the name?", unless: yes || other == nil || setup.isEnabled)
        let written = try setup.write(files)
        if !written.isEmpty {
            try manager?.reload()
            try bus?.reload()
        }
        if format.json {
            return console.print { writer in
                writer.member("program", program)
                writer.member("changed", !written.isEmpty)
                writer.member("files", written.map(\.path))
                writer.member("owner", orNull: owner?.program)
            }
        }
        for file in written { console.print("written: \(file.path.printable)\n  \(file.effect)") }
        if written.isEmpty { console.print("Everything is in place already.") }
        for line in Self.outlook(owner, setup) { console.print(line.printable) }
        console.print("To go back: autofillctl secret-service disable")
    }

    /// What the person is asked about.
    private static func announcement(_ other: String, _ files: [SecretServiceSetup.File]) -> [String] {
        var lines = ["\(other) serves org.freedesktop.secrets. Instead of it autofill-secrets would:"]
        for file in files { lines += ["  \(file.effect)", "    \(file.path)"] }
        lines.append("What \(other) keeps stays there: apps find it again when it has the name again.")
        lines.append(
            "That is so too for the secrets by which apps in sandboxes seal their own: they draw new ones here.")
        return lines
    }

    /// From when on it counts.
    private static func outlook(_ owner: SessionBus.Owner?, _ setup: SecretServiceSetup) -> [String] {
        guard let owner else { return ["From now on the bus starts autofill-secrets when an app asks."] }
        guard !owner.isOwn else { return ["autofill-secrets has the name."] }
        var lines = [
            "\(owner.name) (process \(owner.processID)) has the name until you log out; after that, autofill-secrets."
        ]
        if let release = setup.release(by: owner) { lines.append("To have it at once: \(release)") }
        if owner.name.hasPrefix("kwalletd") || owner.name.hasPrefix("ksecretd") {
            lines.append(
                "KWallet takes it at each login: in System Settings, KDE Wallet, switch \"Use KWallet for the Secret Service "
                    + "interface\" off.")
        }
        return lines
    }
}

struct SecretServiceDisableCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Gives the name org.freedesktop.secrets back.",
        discussion: """
            Takes away what enable wrote, and ends autofill-secrets. What apps kept stays in the vault: enable brings it back.

            Example:
              autofillctl secret-service disable
            """)

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let environment = ProcessEnvironment.current
        let setup = try SecretServiceSetup(environment)
        let removed = try setup.undo()
        if !removed.isEmpty {
            try UserManager(environment)?.reload()
            let bus = SessionBus(environment)
            try bus?.reload()
            if let owner = try bus?.owner(), owner.isOwn { owner.end() }
        }
        if format.json { return console.print { $0.member("removed", removed) } }
        for file in removed { console.print("removed: \(file.printable)") }
        if removed.isEmpty { return console.print("It was not enabled.") }
        let other = setup.otherProgram.map { "\($0) is started for it as before" } ?? "nobody has the name any more"
        console.print("\(other); the next login makes it whole.")
    }
}
