// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround

@testable import CredentialStorage

extension ImportLimits {
    static let test = ImportLimits(
        entries: 200_000, bytes: 96 << 20, userBytes: 64, notesBytes: 64, tags: 3, fields: 4, fieldNameBytes: 32,
        services: 3, passkeys: 2)
}

extension ImportEntry {
    /// An entry of the file; `changed` in milliseconds after the usual time, nil where the file has none.
    static func of(
        _ domains: String..., user: String = "ann", password: String, changed: Int64? = nil, line: Int? = nil,
        _ change: (inout Credential) -> Void = { _ in }
    ) -> ImportEntry {
        let time = changed.map { Timestamp.at($0) } ?? Timestamp(milliseconds: 0)
        var credential = Credential(
            id: ObjectID(kind: .credential, high: 0, low: 0),
            services: domains.map { CredentialService(.domain($0)) }, user: user,
            password: SecretBytes(utf8: password), created: time, changed: time, writer: .administrator)
        change(&credential)
        return ImportEntry(credential, line: line)
    }

    static func many(_ count: Int, password: String = "new") -> [ImportEntry] {
        (0..<count).map { .of("d\($0).example", password: "\(password) \($0)", line: $0 + 1) }
    }
}

extension Subject {
    static let administrator = Subject(
        app: "org.autofilld.autofillctl", assurance: "claimed", executable: "administrator")
}

extension ImportStaging {
    static func of(_ entries: [ImportEntry], seed: UInt64 = 77) throws -> ImportStaging {
        let staging = ImportStaging(limits: .test, entropy: SeededGenerator(seed: seed))
        try staging.add(entries)
        return staging
    }
}

extension Vault {
    /// What a dry run reports.
    func review(_ staging: ImportStaging) throws -> ImportCounts {
        while !staging.isReviewed { try readers.imports.review(staging, limit: 7, VaultProgress()) }
        return staging.counts
    }

    @discardableResult
    func commit(
        _ entries: [ImportEntry], _ rule: ImportRule = .newer, choices: [Int: ImportRule] = [:],
        at now: Int64 = 1_000_000
    ) throws -> ImportReport {
        // Ids must not come again.
        let seed = 77 + UInt64(writtenCredentials)
        return try writers.imports.commit(
            .of(entries, seed: seed), rule, choices: choices, by: .administrator, at: .at(now), steady: .at(now))
    }

    func revert(at now: Int64) throws -> RevertedImport? {
        try writers.imports.revert(at: .at(now), steady: .at(now))
    }

    func saved(_ domain: String, _ user: String = "ann") throws -> Credential? {
        try readers.credentials.get(for: .domain(domain), user: user)
    }

    /// All that can be found, current or former, of a credential.
    func passwords(_ domain: String, _ user: String = "ann") throws -> [String] {
        guard let found = try saved(domain, user) else { return [] }
        return [found.password.text] + found.previous.map(\.password.text)
    }
}
