// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory
import SecretSession
import Systemd

/// Writes entries to the default collection of the Secret Service that runs.
struct KeyringExport {
    private let client: SecretServiceClient
    private let collection: String
    /// Whether other secrets of the same attributes are replaced.
    private let replaces: Bool
    /// The program that stores them.
    let service: String
    private(set) var written = 0
    private(set) var identical = 0
    private(set) var missing: [NotImported] = []

    init(replacing replaces: Bool, _ environment: ProcessEnvironment) throws(CommandFailure) {
        self.replaces = replaces
        let owner: SessionBus.Owner
        do throws(BusError) {
            (client, owner) = try SecretServiceClient.running(environment)
            collection = try client.call(SecretServiceNames.root, "Service", "ReadAlias") {
                (message) throws(BusError) in
                try message.append("default")
            }.readString(type: "o")
        } catch {
            throw Self.failure(error)
        }
        service = owner.name
        guard !owner.isOwn else {
            throw CommandFailure(
                .refused, "autofill-secrets is the Secret Service: it has no keyring of its own",
                fix: "Run: autofillctl secret-service disable, then log in again")
        }
        guard collection != "/" else {
            throw CommandFailure(
                .refused, "\(service.printable) has no default keyring",
                fix: "Create one, for example with the program Passwords and Keys")
        }
        guard try !isLocked() else { throw Self.locked }
    }

    private static let locked = CommandFailure(
        .refused, "The default keyring is locked",
        fix: "Unlock it, for example with the program Passwords and Keys, and run the command again")

    private static func failure(_ error: BusError) -> CommandFailure {
        CommandFailure(
            .unavailable, "No Secret Service answers: \(error.description.printable)",
            fix: "Check whether it runs: autofillctl secret-service status")
    }

    private func isLocked() throws(CommandFailure) -> Bool {
        var isLocked = true
        do throws(BusError) {
            try client.properties(of: collection, "Collection") { (name, value) throws(BusError) in
                guard name == "Locked" else { return try value.skip("v") }
                isLocked = try value.readVariant("b") { (value) throws(BusError) in try value.readBool() }
            }
        } catch {
            throw Self.failure(error)
        }
        return isLocked
    }

    /// Writes what is not there yet.
    mutating func add(_ entries: [ImportedEntry]) throws(CommandFailure) {
        for entry in entries {
            missing += entry.unplaced
            for item in entry.items {
                do throws(BusError) {
                    try add(item)
                } catch {
                    throw CommandFailure(
                        .system, "\(written) written, then \(service.printable) failed: \(error.description.printable)",
                        fix: "Run the command again: what is there already is left as it is")
                }
            }
        }
    }

    private mutating func add(_ item: ImportedEntry.Item) throws(BusError) {
        guard let existing = try existing(item) else {
            let reply = try client.call(collection, "Collection", "CreateItem") { (message) throws(BusError) in
                try message.write("a", of: "{sv}") { () throws(BusError) in
                    let prefix = "org.freedesktop.Secret.Item."
                    try message.write("e", property: prefix + "Label", "s") { () throws(BusError) in
                        try message.append(item.label)
                    }
                    try message.write("e", property: prefix + "Attributes", "a{ss}") { () throws(BusError) in
                        try message.append(item.attributes)
                    }
                }
                try client.append(item.secret, to: message)
                try message.append(false)
            }
            // Without an item it would ask to unlock the keyring.
            guard try reply.readString(type: "o") != "/" else {
                throw BusError(name: "the keyring was locked", text: "")
            }
            return written += 1
        }
        if try client.secret(of: existing).0.equals(item.secret) { return identical += 1 }
        guard replaces else {
            return missing.append(
                NotImported(line: nil, title: item.label, what: "entry", reason: "another-secret"))
        }
        try client.call(existing, "Item", "SetSecret") { (message) throws(BusError) in
            try client.append(item.secret, to: message)
        }
        written += 1
    }

    /// The item with exactly these attributes.
    private func existing(_ item: ImportedEntry.Item) throws(BusError) -> String? {
        for path in try client.search(item.attributes).unlocked {
            var attributes: [String: String] = [:]
            try client.properties(of: path, "Item") { (name, value) throws(BusError) in
                if name == "Attributes" { attributes = try value.readAttributes() } else { try value.skip("v") }
            }
            if attributes == item.attributes { return path }
        }
        return nil
    }
}
