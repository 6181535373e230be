// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct SyncConflictsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "Lists passwords that two machines changed.",
        discussion: """
            Each was changed on a machine that did not have the other's change yet. The newer one is in use, the other \
            one is in the history: autofillctl get SITE USER --reveal --history. What one machine deleted and the other \
            changed stays. An entry ends when you save that credential again. The last 100 are listed.

            Example:
              autofillctl sync conflicts
            """)

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let answer = try await service.call(proof) { SyncConflicts(proof: $0) }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        guard !answer.conflicts.isEmpty else {
            return console.print("No password was changed on two machines at once.")
        }
        for conflict in answer.conflicts { console.print("", hanging: conflict.text, indent: 2) }
    }
}

extension SyncConflict {
    /// A sentence for users.
    var text: String {
        let (one, other) = labels
        let site = service?.value.printable ?? credential
        let owner = user.isEmpty ? "" : " (\(user.printable))"
        if isDeletion {
            return "\(one) changed \(site)\(owner) and \(other) deleted it: \(one)'s of \(used.changed.minute) is in "
                + "use; the deletion of \(former.changed.minute) did not include it."
        }
        return "\(one) and \(other) both changed \(site)\(owner): \(one)'s of \(used.changed.minute) is in use, "
            + "\(other)'s of \(former.changed.minute) is in its history."
    }

    private var labels: (String, String) {
        if used.name == former.name { return (used.label(withID: true), former.label(withID: true)) }
        return (used.label(withID: false), former.label(withID: false))
    }
}

extension SyncChange {
    fileprivate func label(withID: Bool) -> String {
        let id = device.prefix(8)
        if name.isEmpty { return String(id) }
        return withID ? "\(name.printable) (\(id))" : name.printable
    }
}
