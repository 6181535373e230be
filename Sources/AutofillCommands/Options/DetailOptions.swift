// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

/// The details that the user adds to a credential. Notes are a secret, and are read from a descriptor.
struct DetailOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The label; an empty text removes it.", valueName: "text"))
    var label: String?

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("A tag; may be given more than once. Replaces all former tags.", valueName: "tag"))
    var tags: [String] = []

    @Option(
        name: .customLong("notes-fd"),
        help: ArgumentHelp("Read the notes from this open descriptor, to its end.", valueName: "n"))
    var notesDescriptor: Int32?

    /// Removes the tags if `noTags` is set.
    func changes(noTags: Bool = false) throws(CommandFailure) -> CredentialChanges {
        CredentialChanges(
            label: label,
            notes: try notesDescriptor.map { descriptor throws(CommandFailure) in
                try HiddenInput.readAll(descriptor: descriptor, limit: Limits.notesBytes)
            }, tags: noTags ? [] : tags.isEmpty ? nil : tags)
    }
}
