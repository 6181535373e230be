// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons
import SecretMemory
import Systemd

/// gnome-keyring with copies of the user's keyrings, on a bus of its own.
struct KeyringService {
    private static let collections = SecretServiceNames.root + "/collection/"
    /// gnome-keyring's error for a keyring that does not open.
    private static let denied = "org.gnome.keyring.Error.Denied"

    private let bus: PrivateBus
    private let copies: KeyringCopies
    private let client: SecretServiceClient

    /// Starts it.
    init(_ copies: KeyringCopies, _ environment: ProcessEnvironment) throws(CommandFailure) {
        self.copies = copies
        bus = try PrivateBus(copies.folder, environment)
        let owner = try bus.keyring()
        do throws(BusError) {
            client = try SecretServiceClient(bus.connection, owner: owner)
        } catch {
            throw Self.failure(error)
        }
        bus.closeDoor()
    }

    private static func failure(_ error: BusError) -> CommandFailure {
        CommandFailure(
            .system, "gnome-keyring does not answer: \(error.description.printable)",
            fix: "Check whether it starts: gnome-keyring-daemon --version")
    }

    /// Opens each keyring and reads its items; a keyring whose password is stored in an opened one is opened with it.
    ///
    /// - Parameter password: nil to try none.
    func read(opening password: SecretBytes?) throws(CommandFailure) -> [ReadKeyring] {
        do throws(BusError) {
            var opened: [String] = []
            try client.properties(of: SecretServiceNames.root, "Service") { (name, value) throws(BusError) in
                if name == "Collections" { opened = try value.readPaths() } else { try value.skip("v") }
            }
            var keyrings = copies.problems
            var closed: [KeyringCopies.File] = []
            var passwords: [String: SecretBytes] = [:]
            for file in copies.files {
                guard opened.contains(Self.collections + file.token) else {
                    keyrings.append(file.damaged)
                    continue
                }
                guard try open(file, by: password) else {
                    closed.append(file)
                    continue
                }
                let read = try items(of: file)
                for item in read.items ?? [] {
                    if let name = item.nameOfOpenedKeyring { passwords[name] = item.secret }
                }
                keyrings.append(read)
            }
            for file in closed {
                if let own = passwords[file.name], try open(file, by: own) {
                    keyrings.append(try items(of: file))
                } else {
                    keyrings.append(file.closed)
                }
            }
            return keyrings
        } catch {
            throw Self.failure(error)
        }
    }

    /// Whether it opens.
    private func open(_ file: KeyringCopies.File, by password: SecretBytes?) throws(BusError) -> Bool {
        let password = file.isPlain ? SecretBytes(utf8: "") : password
        guard let password else { return false }
        let interface = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
        do throws(BusError) {
            _ = try client.call(SecretServiceNames.root, interface, "UnlockWithMasterPassword") {
                (message) throws(BusError) in
                try message.append(Self.collections + file.token, type: "o")
                try client.append(password, to: message)
            }
            return true
        } catch {
            if error.name == Self.denied { return false }
            throw error
        }
    }

    private func items(of file: KeyringCopies.File) throws(BusError) -> ReadKeyring {
        var label = ""
        var paths: [String] = []
        try client.properties(of: Self.collections + file.token, "Collection") { (name, value) throws(BusError) in
            switch name {
            case "Label": label = try value.readVariant("s") { (value) throws(BusError) in try value.readString() }
            case "Items": paths = try value.readPaths()
            default: try value.skip("v")
            }
        }
        let name = label.isEmpty ? file.name : label
        var items: [KeyringItem] = []
        for path in paths { items.append(try item(path, keyring: name)) }
        return ReadKeyring(name: name, file: file.name, items: items, problem: nil)
    }

    private func item(_ path: String, keyring: String) throws(BusError) -> KeyringItem {
        var (label, attributes) = ("", [String: String]())
        var (created, modified): (UInt64, UInt64) = (0, 0)
        try client.properties(of: path, "Item") { (name, value) throws(BusError) in
            switch name {
            case "Label": label = try value.readVariant("s") { (value) throws(BusError) in try value.readString() }
            case "Created": created = try value.readVariant("t") { (value) throws(BusError) in try value.readUInt64() }
            case "Modified":
                modified = try value.readVariant("t") { (value) throws(BusError) in try value.readUInt64() }
            case "Attributes": attributes = try value.readAttributes()
            default: try value.skip("v")
            }
        }
        let (secret, contentType) = try client.secret(of: path)
        return KeyringItem(
            label: label, attributes: attributes, secret: secret, contentType: contentType, created: created,
            modified: modified, keyring: keyring)
    }
}

extension KeyringItem {
    /// gnome-keyring stores the passwords of other keyrings in the login keyring; the file name of such a keyring.
    fileprivate var nameOfOpenedKeyring: String? {
        let (start, end) = ("LOCAL:/keyrings/", ".keyring")
        guard let name = attributes["keyring"], name.hasPrefix(start), name.hasSuffix(end) else { return nil }
        return String(name.dropFirst(start.count).dropLast(end.count))
    }
}

extension KeyringCopies.File {
    private var file: String { "\(name).keyring" }

    fileprivate var damaged: ReadKeyring {
        .unreadable(
            name, file, "is damaged: gnome-keyring cannot read it",
            fix: "Restore it from a backup, and run the command again")
    }

    fileprivate var closed: ReadKeyring {
        .unreadable(
            name, file, "does not open with this password, or is damaged",
            fix: "Run the command again with its own password, and --keyring \(name.printable.shellQuoted)")
    }
}
