// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround

@testable import CredentialStorage

/// Saves, changes, deletes and restores credentials at random. No password is ever used twice.
struct RandomUser {
    private var generator: SeededGenerator
    private let name: UInt64
    private var passwords = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed &+ 1000)
        name = seed
    }

    mutating func step(_ vault: Vault, at now: Timestamp) throws {
        let all = try vault.allCredentials()
        passwords += 1
        let (writer, text) = (try vault.writers.credentials, "password \(name) \(passwords)")
        let code = SecretBytes(utf8: "otpauth://totp/x?secret=AA\(name)B\(passwords)&period=30")
        let site = "\(Int.random(in: 0..<4, using: &generator)).example"
        guard let one = all.randomElement(using: &generator), Bool.random(using: &generator) else {
            _ = try writer.save(site, "ann", text, at: now)
            return
        }
        let choice = Int.random(in: 0..<6, using: &generator)
        do throws(VaultError) {
            switch choice {
            case 0: _ = try writer.delete(one.id, at: now)
            case 1: _ = try writer.undelete(one.id, at: now)
            default:
                _ = try writer.update(one.id, at: now) { credential in
                    switch choice {
                    case 2: credential.setCode(passwords % 3 == 0 ? nil : code, by: .shop, at: now)
                    case 3: credential.user = passwords % 2 == 0 ? "ann" : "bob \(passwords)"
                    case 4: credential.apply(DetailsChange(label: text, tags: [text]), by: .other)
                    default: credential.password = SecretBytes(utf8: text)
                    }
                }
            }
        } catch {
            switch error {
            case .alreadySaved, .notFound: break
            default: throw error
            }
        }
    }
}
