// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import CredentialStorage
import Credentials
import SecretMemory

extension VaultBenchmark {
    /// How long the event loop is blocked by other work than answers: the record of releases with the times of last
    /// use, and the freezing of the vault for an inspection, before which another thread has written the log back.
    func stalls(_ vault: Vault, _ size: Int) throws {
        var sync = Timing()
        var fewer = Timing()
        var writeBack = Timing()
        var freeze = Timing()
        for round in 0..<200 {
            for uses in [64, 0] {
                for number in 0..<max(uses, 8) {
                    let found = try vault.readers.credentials.get(
                        for: service(Int.random(in: 0..<size)), user: "ann@example.org")
                    if let found, number < uses {
                        try vault.writers.credentials.noteUse(of: found.id, at: use(round, number))
                    }
                    try vault.releases.append(release(found?.id))
                }
                try vault.releases.commit()
                let timing = try time { try vault.releases.sync(at: now) }
                if uses > 0 { sync.add(timing) } else { fewer.add(timing) }
            }
        }
        for round in 0..<20 {
            // What fills the log to somewhere below the thousand pages after which it is written back.
            for number in 0..<Int.random(in: 1..<100) {
                let draft = CredentialDraft(
                    service: service(number), user: "ann@example.org", password: .init(utf8: "p\(round)"),
                    writer: writer)
                _ = try vault.writers.credentials.save(draft, at: now)
            }
            writeBack.add(try time { try vault.emptyLog() })
            freeze.add(try time { _ = try vault.freeze() })
            vault.thaw()
        }
        sync.describe("record of 64 releases and uses among \(size)")
        fewer.describe("record of 8 releases among \(size)")
        writeBack.describe("on another thread: write the log back")
        freeze.describe("freeze among \(size)")
    }

    private func use(_ round: Int, _ number: Int) -> Timestamp {
        now.advanced(byMilliseconds: Int64(round * 100 + number))
    }

    /// In microseconds.
    private func time(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        return (clock.now - start) / .microseconds(1)
    }
}
