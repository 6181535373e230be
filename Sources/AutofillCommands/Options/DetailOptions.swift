// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

/// What a person notes of a credential. Notes are a secret, and come from a descriptor.
struct DetailOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What you call it; an empty one takes the label off.", valueName: "text"))
    var label: String?

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("A tag; may be given more than once, and all others go.", valueName: "word"))
    var tags: [String] = []

    @Option(
        name: .customLong("notes-fd"),
        help: ArgumentHelp("Read the notes from this open descriptor, to its end.", valueName: "n"))
    var notesDescriptor: Int32?

    /// Takes the tags off where `noTags` says so.
    func changes(noTags: Bool = false) throws(CommandFailure) -> CredentialChanges {
        CredentialChanges(
            label: label,
            notes: try notesDescriptor.map { descriptor throws(CommandFailure) in
                try HiddenInput.readAll(descriptor: descriptor, limit: Limits.notesBytes)
            }, tags: noTags ? [] : tags.isEmpty ? nil : tags)
    }
}
