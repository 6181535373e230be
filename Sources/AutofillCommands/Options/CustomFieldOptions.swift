// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import SecretMemory

/// Fields that the user adds to a credential. The values of secret ones are read from the terminal or a descriptor.
struct CustomFieldOptions: ParsableArguments {
    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "Set a field that is not secret; may be given more than once.", valueName: "name=text"))
    var plain: [String] = []

    @Option(
        name: .customLong("secret-field"),
        help: ArgumentHelp(
            "Set a secret field, whose value is read from the terminal; may be given more than once.", valueName: "name"
        ))
    var secret: [String] = []

    @Option(
        name: .customLong("secret-field-fd"),
        help: ArgumentHelp("Read the secret fields' values from this open descriptor, one per line.", valueName: "n")
    )
    var descriptor: Int32?

    @Option(
        name: .customLong("no-field"),
        help: ArgumentHelp("Remove this field; may be given more than once.", valueName: "name"))
    var removed: [String] = []

    /// Whether no change is requested.
    var isEmpty: Bool { plain.isEmpty && secret.isEmpty && removed.isEmpty }

    func validate() throws {
        for field in plain where field.first == "=" || !field.contains("=") {
            throw ValidationError("--field is NAME=TEXT.")
        }
        if descriptor != nil, secret.isEmpty { throw ValidationError("--secret-field-fd needs --secret-field.") }
        let names = plain.map(Self.name) + secret + removed
        if Set(names).count < names.count { throw ValidationError("Name each field once.") }
    }

    private static func name(_ field: String) -> String { String(field.prefix { $0 != "=" }) }

    /// All fields after the change: existing ones keep their positions.
    func changed(_ fields: [CustomFieldValue]) throws(CommandFailure) -> [CustomFieldValue] {
        for name in removed where !fields.contains(where: { $0.name == name }) {
            throw CommandFailure(.notFound, "There is no field \(name.quoted)", fix: "See: autofillctl get --reveal")
        }
        var fields = fields.filter { !removed.contains($0.name) }
        func set(_ name: String, _ value: SecretBytes, isSecret: Bool) {
            let field = CustomFieldValue(name: name, value: value, isSecret: isSecret)
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        }
        for field in plain {
            let name = Self.name(field)
            set(name, SecretBytes(utf8: String(field.dropFirst(name.count + 1))), isSecret: false)
        }
        for name in secret { set(name, try value(of: name), isSecret: true) }
        return fields
    }

    private func value(of name: String) throws(CommandFailure) -> SecretBytes {
        if let descriptor { return try HiddenInput.read(descriptor: descriptor, limit: Limits.customValueBytes) }
        return try HiddenInput.ask(
            "\(name.printable): ", limit: Limits.customValueBytes, elsewhere: "Add --secret-field-fd N")
    }
}
