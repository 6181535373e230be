// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct SecretServiceEnableCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Makes autofill-secrets the Secret Service.",
        discussion: """
            Only for this user: writes the file by which the bus starts autofill-secrets, and, if gnome-keyring is installed, \
            the files that disable its Secret Service. If another program owns the name, the changes are listed, and need \
            confirmation. The items of that program stay there; autofillctl import imports those of gnome-keyring. An \
            existing file of yours is renamed, with the suffix .before-autofill, and disable restores it.

            Who may read what is a setting, secretService.isolation. With apps, the default, each program reads the secrets that \
            it has saved, and the user is asked once about those of others; about a script, its own too, since any program can \
            claim to be that script. With none all programs share all secrets without a prompt, as with gnome-keyring. Each \
            release is recorded in both modes.

            With the name comes the secret portal: xdg-desktop-portal requests from the name's owner the secret with which a \
            sandboxed app (Flatpak) seals its own data. portals.conf is not changed.

            Example:
              autofillctl secret-service enable
            """)

    @Flag(help: "Do not ask for confirmation.") var yes = false
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
        let announced = setup.isEnabled || yes ? nil : other
        if let announced {
            // On standard error, not in the result: it belongs to the confirmation.
            for line in Self.announcement(announced, files) + Self.modes { console.printError(line.printable) }
        }
        try confirm("Make autofill-secrets the owner of the name?", unless: yes || other == nil || setup.isEnabled)
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
        if format.quiet { return }
        for file in written { console.print("written: \(file.path.printable)\n  \(file.effect)") }
        if written.isEmpty { console.print("Everything is set up already.") }
        for line in Self.outlook(owner, setup) + (announced == nil ? Self.modes : []) { console.print(line.printable) }
        console.print("To undo: autofillctl secret-service disable")
    }

    /// The changes that the user has to confirm.
    private static func announcement(_ other: String, _ files: [SecretServiceSetup.File]) -> [String] {
        var lines = ["\(other) serves org.freedesktop.secrets. To replace it by autofill-secrets:"]
        for file in files { lines += ["  \(file.effect)", "    \(file.path)"] }
        lines.append("The items of \(other) stay there: apps find them when it owns the name again.")
        lines.append(
            "The same applies to the secrets with which sandboxed apps seal their data: they get new ones.")
        return lines
    }

    /// Who may read what.
    private static let modes = [
        "Programs read the secrets that they have saved; you are asked once about others', and about a script.",
        "  That is the default. Set it again: autofillctl settings set secretService.isolation apps",
        "To share all secrets with all programs without a prompt, as gnome-keyring does:",
        "  autofillctl settings set secretService.isolation none",
    ]

    /// When the change becomes effective.
    private static func outlook(_ owner: SessionBus.Owner?, _ setup: SecretServiceSetup) -> [String] {
        guard let owner else { return ["From now on the bus starts autofill-secrets when an app calls it."] }
        guard !owner.isOwn else { return ["autofill-secrets owns the name."] }
        var lines = [
            "\(owner.name) (process \(owner.processID)) owns the name until you log out; after that, autofill-secrets."
        ]
        if let release = setup.release(by: owner) { lines.append("To change it now: \(release)") }
        if owner.name.hasPrefix("kwalletd") || owner.name.hasPrefix("ksecretd") {
            lines.append(
                "KWallet acquires the name at each login: in System Settings, KDE Wallet, switch \"Use KWallet for the Secret Service "
                    + "interface\" off.")
        }
        return lines
    }
}

struct SecretServiceDisableCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Releases the name org.freedesktop.secrets.",
        discussion: """
            Removes the files that enable wrote, and ends autofill-secrets. What programs have stored meanwhile stays in \
            the vault, where they do not find it until a later enable; autofillctl export does not export it. To move \
            passwords of sites, export them to the program that owns the name then: autofillctl export secret-service.

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
        if format.quiet { return }
        for file in removed { console.print("removed: \(file.printable)") }
        if removed.isEmpty { return console.print("It is not enabled.") }
        let other =
            setup.otherProgram.map { "\($0) is started for the name as before" } ?? "no program is started for the name"
        console.print("\(other); this is complete after the next login.")
    }
}
