// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A vault of the first format, as the last daemon that wrote that one left it: made by `FullVault` with commit ddc49ba, with
/// entries of the record of releases that are in vault.releases only. Kept for ever.
enum FormerFormat {
    static let passphrase = VaultSecret.passphrase("cafe\u{301} au lait")
    static let recoveryKey = "V3JK-VEMG-D94X-KMRD-DEHH-QUTJ-WVTJ-KF5D"
    static let records = 23

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// Puts its files where a vault is opened.
    static func copy(to directory: TemporaryDirectory) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: directory.vaultPath, withIntermediateDirectories: true)
        for (ending, name) in [("sqlite", "vault.sqlite"), ("releases", "vault.releases")] {
            let path = directory.vaultPath + "/" + name
            try manager.copyItem(atPath: folder.appending(path: "vault-1-last.\(ending)").path, toPath: path)
            chmod(path, 0o600)
        }
    }

    /// What it returned then, opened by its key file.
    static func described() throws -> [String: Any] {
        try parse(Data(contentsOf: folder.appending(path: "vault-1-last.json")))
    }

    static func parse(_ described: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: described) as? [String: Any])
    }
}

extension Vault {
    /// The same that it returned then, of a vault that was brought to the present format.
    func hasAll(openedBy slot: Int = 2, records count: Int = FormerFormat.records) throws -> Bool {
        let (then, now) = (try FormerFormat.described(), try FormerFormat.parse(Data(described(openedBy: slot).utf8)))
        func part(_ name: String) throws -> (String, String) {
            // The backups that it remembers are a setting of their own.
            func kept(_ described: [String: Any]) throws -> String {
                let list = try #require(described[name] as? [[String: Any]])
                return try Described.json(list.filter { $0["name"] as? String != "backups" })
            }
            return (try kept(then), try kept(now))
        }
        let (thenReleases, nowReleases) = try (releases(of: then), releases(of: now))
        return try ["slots", "records", "quarantine"].allSatisfy { name in
            let (then, now) = try part(name)
            return then == now
        } && thenReleases == nowReleases && thenReleases.contains("\"number\":7")
    }

    /// In the database or not.
    private func releases(of described: [String: Any]) throws -> String {
        let parts = try ["releases", "waiting"].map { try #require(described[$0] as? [[String: Any]]) }
        return try Described.json(Array(parts.joined()))
    }
}

/// Random numbers that report each request: between any two things that are sealed.
struct WatchedEntropy: RandomNumberGenerator {
    private var generator: SeededGenerator
    private let watch: () -> Void

    init(seed: UInt64, _ watch: @escaping () -> Void) {
        generator = SeededGenerator(seed: seed)
        self.watch = watch
    }

    mutating func next() -> UInt64 {
        watch()
        return generator.next()
    }
}
