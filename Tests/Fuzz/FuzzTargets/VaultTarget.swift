// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory

/// A vault file that another program wrote: what opens is what was sealed, or it is refused.
enum VaultTarget {
    private static let key = VaultSecret.key(SecretBytes(copying: repeatElement(7, count: 32), count: 32))
    private static let service = Service(kind: .domain, value: "shop.example.com")
    private static let writer = Subject(app: "org.example.Shop", assurance: "claimed", executable: "")
    private static let now = Timestamp(milliseconds: 1_795_253_400_000)
    private static let users = ["ann", "bob", "eve"]
    private static let intact = Result { try make() }

    /// A `P` and edits of an intact file, four bytes each: three give the offset, one the value.
    static func seed() throws -> [UInt8] { [UInt8(ascii: "P"), 0, 16, 0, 1, 0, 32, 7, 255] }

    static func run(_ input: [UInt8]) throws {
        var bytes = input
        if input.first == UInt8(ascii: "P") {
            bytes = try intact.get()
            for start in stride(from: 1, to: input.count - 3, by: 4) {
                let offset = input[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
                bytes[offset % bytes.count] = input[start + 3]
            }
        }
        let path = FuzzFolder.path + "/vault"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path + "/vault.sqlite"))
        do { try open(path) } catch is VaultError {}
    }

    private static func open(_ path: String) throws {
        let vault = try Vault(at: .directory(path), program: "fuzz")
        defer { vault.close() }
        _ = try vault.unlock(with: vault.slots.attempt(key, at: now).derive(), at: now)
        _ = try vault.check()
        for summary in try vault.readers.credentials.page(after: nil, limit: 100).elements {
            try require(users.contains(summary.user), "a credential that was never saved: \(summary.user)")
        }
        for user in users {
            guard let found = try? vault.readers.credentials.get(for: service, user: user) else { continue }
            try require(found.password.equals(password(of: user)), "another password for \(user)")
        }
        _ = try? vault.writers.credentials.save(
            CredentialDraft(service: service, user: "new", password: password(of: "new"), writer: writer), at: now)
    }

    private static func password(of user: String) -> SecretBytes { SecretBytes(utf8: "password of \(user)") }

    private static func make() throws -> [UInt8] {
        let path = FuzzFolder.path + "/sound"
        let vault = try Vault(at: .directory(path), program: "fuzz")
        var entropy = SystemEntropy()
        try vault.create([.derive(from: key, label: "", using: &entropy)], at: now)
        for user in users {
            _ = try vault.writers.credentials.save(
                CredentialDraft(service: service, user: user, password: password(of: user), writer: writer), at: now)
        }
        vault.close()
        return Array(try Data(contentsOf: URL(filePath: path + "/vault.sqlite")))
    }
}
