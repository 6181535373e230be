// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("The memory in which a passphrase becomes a key", .serialized)
struct DerivationMemoryTests {
    /// attacks.md, the vault, 15
    @Test(
        "It is kept out of core dumps and children, and is locked where half of the limit holds it; else that is reported, as under the unit's 64 MiB"
    )
    func limits() throws {
        let (status, output) = try runInOwnProcess("LockedMemoryChild", "AUTOFILL_LOCKED_MEMORY_CHILD")
        #expect(status == 0, "\(output)")
    }
}

/// In a process of its own, as the limit is the whole process's, and as the kernel makes one of two mappings side by side.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_LOCKED_MEMORY_CHILD"] != nil))
struct LockedMemoryChild {
    @Test func limits() throws {
        for megabytes: UInt in [64, 200, 300] {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
            guard limit.rlim_max >= megabytes << 20 else { continue }
            limit.rlim_cur = megabytes << 20
            let status = setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
            try #require(status == 0)
            let flags = try WorkingMemory.flagsDuringDerivation()
            #expect(flags.contains("dd") && flags.contains("dc"))
            #expect(PassphraseCost.isMemoryLocked == (megabytes == 300))
            #expect(flags.contains("lo") == (megabytes == 300))
            #expect(SecretBytes.allLocked)
        }
    }
}

/// What the kernel reports of the working memory of a derivation.
private enum WorkingMemory {
    /// The flags (proc_pid_smaps(5)) of the mapping, read while a derivation runs. Throws where it is never seen.
    static func flagsDuringDerivation() throws -> Set<String> {
        let thread = Thread {
            let passphrase = SecretBytes(utf8: "correct horse")
            _ = try? PassphraseCost.least.derive(from: passphrase, salt: [UInt8](repeating: 1, count: 32))
        }
        thread.start()
        var found: Set<String>?
        while !thread.isFinished, found == nil {
            let maps = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8)
            var isWorking = false
            for line in maps.split(separator: "\n") {
                let words = line.split(separator: " ")
                if line.hasPrefix("Size:"), words.count > 1, let kilobytes = Int(words[1]) {
                    isWorking = (131_072..<140_000).contains(kilobytes)
                }
                if isWorking, line.hasPrefix("VmFlags:") { found = Set(words.dropFirst().map(String.init)) }
            }
        }
        while !thread.isFinished { sched_yield() }
        return try #require(found)
    }
}
