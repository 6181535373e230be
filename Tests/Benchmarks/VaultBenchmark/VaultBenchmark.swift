// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import CredentialStorage
import Credentials
import Foundation
import SecretMemory

/// The figures of the issue on the vault: get, save and unlock at sizes from 100 to 100,000; and those of sync.
struct VaultBenchmark {
    let directory: String
    /// Sync with 100,000 credentials and over 10,000 changes.
    var isLong = false
    let key = SecretBytes(copying: repeatElement(7, count: 32), count: 32)
    let writer = Subject(
        app: "org.example.Shop", assurance: "installed", executable: "path:/usr/bin/example-shop")

    func run() throws {
        let small = try vault(of: 100)
        let large = try vault(of: 100_000)
        try get(small, 100, large, 100_000)
        try save(small, large)
        try stalls(small, 100)
        try stalls(large, 100_000)
        try unlock(small, 100)
        try unlock(try vault(of: 10_000), 10_000)
        try unlock(large, 100_000)
    }

    var now: Timestamp { Timestamp(milliseconds: 1_795_219_200_000) }

    func path(_ size: Int) -> String { directory + "/\(size)" }

    func vault(of size: Int, at path: String? = nil) throws -> Vault {
        let vault = try Vault(at: .directory(path ?? self.path(size)), program: "benchmark")
        var entropy = SystemEntropy()
        try vault.create([.derive(from: .key(key), label: "", using: &entropy)], at: now)
        for start in stride(from: 0, to: size, by: 10_000) {
            try vault.writers.credentials.insert((start..<min(start + 10_000, size)).map { credential($0, &entropy) })
        }
        return vault
    }

    func service(_ number: Int) -> Service { Service(kind: .domain, value: "site-\(number).example.com") }

    func credential(_ number: Int, _ entropy: inout SystemEntropy) -> Credential {
        Credential(
            id: .random(.credential, using: &entropy), services: [.init(service(number))], user: "ann@example.org",
            password: SecretBytes(utf8: "wiZqy2-tibvek-jumpyx"), rules: "minlength: 20; required: lower;", created: now,
            changed: now, writer: writer)
    }

    func release(_ id: ObjectID?) -> Release {
        Release(
            time: now, app: writer.app, assurance: writer.assurance, processID: 4711,
            executable: "/usr/bin/example-shop",
            unit: "app-org.example.Shop-4711.scope", method: "credential.get", service: service(1), object: id,
            grant: nil,
            refused: nil)
    }

    // MARK: - Get

    private func get(_ small: Vault, _ smallSize: Int, _ large: Vault, _ largeSize: Int) throws {
        var timings = [Timing(), Timing()]
        var whole = [Timing(), Timing()]
        var releases = Timing()
        var commits = Timing()
        // Once through, so that each bucket of the large one has been compared and every page is in memory.
        for number in 0..<largeSize {
            _ = try large.readers.credentials.get(for: service(number), user: "ann@example.org")
        }
        for _ in 0..<200 {
            for (index, (vault, size)) in [(small, smallSize), (large, largeSize)].enumerated() {
                for _ in 0..<50 {
                    let service = service(Int.random(in: 0..<size))
                    try timings[index].measure {
                        _ = try vault.readers.credentials.get(for: service, user: "ann@example.org")
                    }
                }
                for _ in 0..<50 {
                    let service = service(Int.random(in: 0..<size))
                    try whole[index].measure {
                        let found = try vault.readers.credentials.get(for: service, user: "ann@example.org")
                        try vault.releases.append(release(found?.id))
                        try vault.releases.commit()
                    }
                }
                for _ in 0..<50 {
                    let entry = release(nil)
                    try releases.measure { try vault.releases.append(entry) }
                    try commits.measure { try vault.releases.commit() }
                }
                try vault.releases.sync(at: now)
            }
        }
        timings[0].describe("look-up and decryption among \(smallSize)")
        timings[1].describe("look-up and decryption among \(largeSize)", against: timings[0])
        releases.describe("release: seal an entry")
        commits.describe("release: commit it")
        whole[0].describe("look-up, decryption, release, commit among \(smallSize)")
        whole[1].describe("look-up, decryption, release, commit among \(largeSize)", against: whole[0])
    }

    // MARK: - Save

    private func save(_ small: Vault, _ large: Vault) throws {
        let bare = BareDatabase(path: directory + "/bare.sqlite")
        let entropy = SystemEntropy()
        var inserts = [Timing(), Timing()]
        var updates = [Timing(), Timing()]
        var bareInserts = Timing()
        var number = 1_000_000
        for round in 0..<40 {
            for _ in 0..<25 {
                let bytes = (0..<3).map { [UInt8](repeating: UInt8.random(in: 0...255), count: [17, 32, 284][$0]) }
                bareInserts.measure { bare.insert(id: bytes[0], lookup: bytes[1], sealed: bytes[2]) }
            }
            for (index, vault) in [small, large].enumerated() {
                for _ in 0..<25 {
                    number += 1
                    let draft = CredentialDraft(
                        service: service(number), user: "ann@example.org",
                        password: SecretBytes(utf8: "wiZqy2-tibvek-jumpyx"),
                        writer: writer)
                    try inserts[index].measure { _ = try vault.writers.credentials.save(draft, at: now) }
                }
                for _ in 0..<25 {
                    let draft = CredentialDraft(
                        service: service(Int.random(in: 0..<100)), user: "ann@example.org",
                        password: SecretBytes(utf8: "p\(entropy.next())"), writer: writer)
                    try updates[index].measure { _ = try vault.writers.credentials.save(draft, at: now) }
                }
            }
            if round == 0 { (inserts, updates, bareInserts) = ([Timing(), Timing()], [Timing(), Timing()], Timing()) }
        }
        bareInserts.describe("bare SQLite: insert and commit, 333 bytes")
        inserts[0].describe("save a new credential among 100", against: bareInserts)
        inserts[1].describe("save a new credential among 100000", against: bareInserts)
        updates[0].describe("change a credential among 100", against: bareInserts)
        updates[1].describe("change a credential among 100000", against: bareInserts)
        print(
            "scale: new \(Timing.text(inserts[1].median / inserts[0].median)), change "
                + "\(Timing.text(updates[1].median / updates[0].median)) times as long among 100000 as among 100")
    }

    // MARK: - Unlock

    func unlock(_ vault: Vault, _ size: Int) throws {
        var timing = Timing()
        for _ in 0..<10 {
            vault.lock()
            let outcome = try vault.slots.attempt(.key(key), at: now).derive()
            try timing.measure { _ = try vault.unlock(with: outcome, at: now) }
        }
        timing.describe("unlock \(size), key derivation apart")
    }
}
