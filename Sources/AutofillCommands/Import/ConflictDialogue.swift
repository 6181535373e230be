// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Asks at the terminal what becomes of each conflict.
struct ConflictDialogue {
    private(set) var choices: [ImportChoice] = []
    /// For the conflicts without a choice of their own.
    private(set) var rest = ImportCommit.Rule.skip

    init(_ conflicts: [ImportFinding]) throws(CommandFailure) {
        let terminal = try Terminal(orElse: "Add --conflicts newer, both or skip")
        defer { terminal.close() }
        terminal.write(
            """
            newer: what was changed last is current, and the other password is kept as a former one
            both:  the entry is saved beside the other, with “(imported)” after its user name
            skip:  the entry is not imported
            N, B or S: the same for all that follow

            """)
        for (index, conflict) in conflicts.enumerated() {
            let service = conflict.service?.value ?? conflict.title
            let times =
                "file: \(conflict.changed?.minute ?? "unknown"), vault: \(conflict.saved?.minute ?? "another entry")"
            let question =
                "\(index + 1) of \(conflicts.count): \(service.printable), \(conflict.user.printable) (\(times)) [n/b/s/N/B/S] "
            guard let (rule, isForAll) = Self.rule(terminal, question) else {
                throw CommandFailure(.refused, "Nothing was imported")
            }
            if isForAll {
                rest = rule
                return
            }
            guard choices.count < Limits.listLimit else {
                throw CommandFailure(
                    .refused, "More than \(Limits.listLimit) conflicts cannot be answered one by one",
                    fix: "Answer with N, B or S, or add --conflicts newer, both or skip")
            }
            choices.append(ImportChoice(entry: conflict.entry, conflict: rule))
        }
    }

    /// nil where three answers were none of these.
    private static func rule(
        _ terminal: Terminal, _ question: String
    ) -> (rule: ImportCommit.Rule, isForAll: Bool)? {
        for _ in 0..<3 {
            switch terminal.answer(question) {
            case "n", "newer": return (.newer, false)
            case "b", "both": return (.both, false)
            case "s", "skip": return (.skip, false)
            case "N": return (.newer, true)
            case "B": return (.both, true)
            case "S": return (.skip, true)
            default: continue
            }
        }
        return nil
    }
}
