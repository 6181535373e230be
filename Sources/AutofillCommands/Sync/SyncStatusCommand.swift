// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct SyncStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what sync does, and what is missing.",
        discussion: """
            For each other machine: when a file of it was last merged here, and how many of its changes other machines \
            have and this one has not. A machine has two ids after its vault was restored: the former id stays in the \
            group, as a copy of the machine may have it, until you remove it.

            Example:
              autofillctl sync status
            """)

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let status = try await service.call(proof) { SyncStatus(proof: $0) }
        if format.json { return console.print(json: { status.write(to: &$0) }) }
        for (name, value) in status.lines {
            let isProblem = name == "problem"
            let heading = name + String(repeating: " ", count: max(0, 9 - name.count))
            console.print(console.styled(heading, isProblem ? .red : .dim) + "  ", hanging: value, indent: 11)
        }
        guard !status.devices.isEmpty else { return }
        console.print()
        console.print(Table(status.devices))
    }
}

extension SyncStatus.Answer {
    /// The lines for users, each with its name.
    var lines: [(String, String)] {
        var lines = [("state", stateText)]
        if let location { lines.append(("where", location.shown)) }
        if location != nil {
            lines.append(("compared", checked?.second ?? "not yet"))
            if waiting > 0 {
                lines.append(("waiting", "\(waiting.counted("file")) of this machine to be copied there"))
            }
        }
        if let restored { lines.append(("restored", restored.text)) }
        if let ignored {
            lines.append(("ignored", "\(ignored.counted("file")), changed or malformed: check who can write there"))
        }
        if conflicts > 0 { lines.append(("conflicts", "\(conflicts); to list them: autofillctl sync conflicts")) }
        // While it is active nothing is kept from being exchanged.
        if let problem { lines.append((state == .active ? "note" : "problem", problem.printable)) }
        if let fix { lines.append(("fix", fix)) }
        return lines
    }

    private var stateText: String {
        switch state {
        case .joining: "joining: waits to be let in by another machine"
        case .undecided: "undecided: the vault was restored, and nothing is exchanged"
        default: state.rawValue.printable
        }
    }

    /// What the user can do next, where something is to be done.
    private var fix: String? {
        switch state {
        case .off: "autofillctl sync start FOLDER. To join another machine: autofillctl sync join FOLDER"
        case .joining: "To end it: autofillctl sync stop"
        case .undecided:
            "If others' newer changes count: autofillctl sync resume others. If what this vault shows counts: "
                + "autofillctl sync resume vault"
        // The problem has its fix.
        default: nil
        }
    }
}

extension SyncRestored {
    fileprivate var text: String {
        "\(time.minute): the files there had gone back to before \(oldest.minute), or were lost; "
            + "\(files.counted("file")) of this machine \(files == 1 ? "was" : "were") written again, and nothing is lost"
    }
}
