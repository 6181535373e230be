// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct StatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the state of the service.",
        discussion: """
            Example:
              autofillctl status
            """)

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let status = try await session.call(Status())
        // systemd's unit is that of the user's own service only.
        let unit =
            service.socket == nil && ProcessEnvironment.current["AUTOFILLD_SOCKET"] == nil ? ServiceUnit.read() : nil
        if format.json { return console.print { write(status, unit, to: &$0) } }
        func heading(_ name: String, _ style: Console.Style = .dim) -> String {
            console.styled(name + String(repeating: " ", count: max(0, 11 - name.columns)), style) + "  "
        }
        for (name, value) in Self.lines(status) { console.print(heading(name) + value.printable) }
        if let unit {
            if let program = unit.program { console.print(heading("program") + program.printable) }
            console.print(heading("unit") + unit.file.printable)
            for dropIn in unit.dropIns { console.print(heading("drop-in", .yellow) + dropIn.printable) }
        }
        for problem in status.daemon?.problems ?? [] {
            console.print(heading("problem", .red), hanging: problem.printable, indent: 13)
        }
    }

    /// The shape of `status --json`: the answer of the service, and its unit.
    private func write(_ status: Status.Answer, _ unit: ServiceUnit?, to writer: inout JSONWriter) {
        status.write(to: &writer)
        writer.key("unit")
        guard let unit else { return writer.null() }
        writer.object { writer in
            writer.member("program", orNull: unit.program)
            writer.member("file", unit.file)
            writer.member("dropIns", unit.dropIns)
        }
    }

    /// The lines of the output, each with its name.
    static func lines(_ status: Status.Answer) -> [(String, String)] {
        guard let daemon = status.daemon else { return [("vault", status.vault)] }
        var lines = [("service", "autofilld \(daemon.version)" + (daemon.isEphemeral ? ", ephemeral" : ""))]
        if let notice = ServiceOptions.notice(serviceVersion: daemon.version) { lines.append(("version", notice)) }
        lines.append(("vault", status.vault + (daemon.vaultPath.map { ", \($0)" } ?? "")))
        if let credentials = daemon.credentials { lines.append(("credentials", "\(credentials)")) }
        if let offers = daemon.pendingOffers {
            lines.append(("offers", "\(offers) \(offers == 1 ? "is" : "are") pending"))
        }
        if let work = daemon.work { lines.append(("work", text(of: work))) }
        lines.append(("apps", "\(daemon.apps) registered"))
        lines.append(("clients", "\(daemon.clients) connected, including this one"))
        if let seconds = daemon.terminalProofSeconds {
            let minutes = ((seconds + 59) / 60).counted("minute")
            lines.append(
                ("terminal", "your passphrase stays valid here for \(minutes); to end it: autofillctl lock-terminal"))
        }
        lines.append(("settings", daemon.settingsPath))
        if !daemon.isMemoryLocked {
            lines.append(("memory", "not all of it could be locked: raise the limit, LimitMEMLOCK= in the unit"))
        }
        return lines
    }

    private static func text(of work: Status.VaultWork) -> String {
        let name = work.method ?? "autofilld's own work"
        return work.all > 0 ? "\(name), \(work.done * 100 / work.all) % of \(work.all.counted("record"))" : name
    }
}
