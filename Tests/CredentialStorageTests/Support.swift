// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import VaultRecovery

/// A directory that is removed when the test is over.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "autofilld-vault-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where a vault would be, not made yet.
    var vault: VaultLocation { .directory(vaultPath) }
    var vaultPath: String { path + "/data/autofilld" }
    var database: String { vaultPath + "/vault.sqlite" }
}

extension Timestamp {
    /// 2026-11-21T00:00:00Z and so many milliseconds.
    static func at(_ milliseconds: Int64 = 0) -> Timestamp { Timestamp(milliseconds: 1_795_219_200_000 + milliseconds) }
}

extension VaultSecret {
    /// A key file's content; needs no stretching, hence quick.
    static func key(_ byte: UInt8 = 7) -> VaultSecret {
        .key(SecretBytes(copying: repeatElement(byte, count: 32), count: 32))
    }

    static func passphrase(_ text: String) -> VaultSecret { .passphrase(SecretBytes(utf8: text)) }
}

extension NewSlot {
    static func test(_ secret: VaultSecret = .key(), label: String = "key file", seed: UInt64 = 99) throws -> NewSlot {
        var generator = SeededGenerator(seed: seed)
        return try derive(from: secret, label: label, using: &generator)
    }
}

extension Vault {
    static func open(_ location: VaultLocation, seed: UInt64 = 1, limits: VaultLimits = VaultLimits()) throws -> Vault {
        try Vault(at: location, program: "tests", entropy: SeededGenerator(seed: seed), limits: limits)
    }

    /// A new vault, unlocked, behind `VaultSecret.key()`.
    static func new(_ location: VaultLocation = .memory, seed: UInt64 = 1, limits: VaultLimits = VaultLimits()) throws
        -> Vault
    {
        let vault = try open(location, seed: seed, limits: limits)
        try vault.create([.test()], at: .at())
        return vault
    }

    /// Opens what is there, with another seed than it was made with: nonces must not come again.
    static func unlocked(_ location: VaultLocation, secret: VaultSecret = .key(), seed: UInt64 = 2) throws -> Vault {
        let vault = try open(location, seed: seed)
        _ = try vault.unlock(secret)
        return vault
    }

    @discardableResult
    func unlock(_ secret: VaultSecret, at now: Timestamp = .at()) throws -> UnlockReport {
        try unlock(with: slots.attempt(secret, at: now).derive(), at: now)
    }

    func password(_ domain: String, _ user: String) throws -> String? {
        try readers.credentials.get(for: .domain(domain), user: user).map { $0.password.text }
    }
}

extension StoredCredentialWriter {
    @discardableResult
    func save(
        _ domain: String, _ user: String, _ password: String, ifVersion: UInt64? = nil, at now: Timestamp = .at()
    ) throws -> Saved {
        try save(
            CredentialDraft(
                service: .domain(domain), user: user, password: SecretBytes(utf8: password), writer: .shop),
            ifVersion: ifVersion, at: now)
    }
}

/// Recovery, of this vault.
extension Vault {
    func repair(
        at now: Timestamp = .at(), takesOlder: Bool = false, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> RepairReport { try VaultRepair(of: self, progress).run(takesOlder: takesOlder) }

    func restoreAttempt(from path: String, secret: VaultSecret) throws(VaultError) -> UnlockAttempt {
        try BackupRestore(self).attempt(from: path, secret: secret)
    }

    func restore(
        from path: String, with outcome: UnlockOutcome, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> RestoreReport { try BackupRestore(self).run(from: path, with: outcome, progress) }

    func salvageAttempt(from path: String, secret: VaultSecret) throws(VaultError) -> UnlockAttempt {
        try VaultSalvage(self).attempt(from: path, secret: secret)
    }

    func salvage(
        from path: String, with outcome: UnlockOutcome, to target: String? = nil, at now: Timestamp,
        _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> SalvageReport {
        try VaultSalvage(self).run(from: path, with: outcome, to: target, at: now, progress)
    }

    func quarantined() throws(VaultError) -> [QuarantinedRow] { try Quarantine(of: self).list().map(\.row) }
}

extension SecretBytes {
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Service {
    static func domain(_ value: String) -> Service { Service(kind: .domain, value: value) }
}

extension Subject {
    static let shop = Subject(app: "org.example.Shop", assurance: "installed", executable: "path:/usr/bin/shop")
    static let other = Subject(app: "org.example.Shop", assurance: "claimed", executable: "file:/home/a/shop#00")
}

extension Offer {
    static func test(
        _ number: UInt64, form: String? = "form", subject: Subject = .shop, domain: String = "shop.example",
        password: String = "wiZqy2-tibvek-jumpyx", expires: Timestamp = .at(3_600_000)
    ) -> Offer {
        Offer(
            id: ObjectID(kind: .offer, high: number &* 0x9E37_79B9_7F4A_7C15, low: number), subject: subject,
            service: .domain(domain), form: form, password: SecretBytes(utf8: password), rules: "minlength: 20;",
            created: .at(), expires: expires)
    }
}

extension Credential {
    /// For one transaction: user `ann` at `d0.example`, `d1.example`, …, with passwords `p0`, `p1`, …
    static func many(_ count: Int, seed: UInt64 = 1234) -> [Credential] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            Credential(
                id: .random(.credential, using: &generator), services: [.init(.domain("d\(number).example"))],
                user: "ann",
                password: SecretBytes(utf8: "p\(number)"), created: .at(), changed: .at(), writer: .shop)
        }
    }
}

extension Release {
    static func test(
        _ number: Int64, app: String = "org.example.Shop", refused: String? = nil, evidence: String? = nil
    ) -> Release {
        Release(
            time: .at(number), app: app, assurance: "installed", processID: 4711, executable: "/usr/bin/shop",
            unit: "app-org.example.Shop-1.scope", method: "credential.get", service: .domain("shop.example"),
            object: ObjectID(kind: .credential, high: 1, low: 2), grant: nil, refused: refused,
            evidence: evidence)
    }
}

/// The error that `body` throws, or nil.
func failure(_ body: () throws -> Void) -> VaultError? {
    do { try body() } catch { return error as? VaultError }
    return nil
}

/// Runs a suite of this program in a process of its own: for what a whole process has, its mask and its limits.
///
/// - Parameter variable: set there, and what enables the suite.
/// - Returns: the exit status, and what the process wrote.
func runInOwnProcess(
    _ suite: String, _ variable: String, environment: [String: String] = [:]
) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    process.arguments = ["--testing-library", "swift-testing", "--filter", suite]
    process.environment = ProcessInfo.processInfo.environment.merging(environment.merging([variable: "1"]) { $1 }) {
        $1
    }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let written = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: written, as: UTF8.self))
}
