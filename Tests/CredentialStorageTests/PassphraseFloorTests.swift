// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("What a new passphrase must not be")
struct PassphraseFloorTests {
    private func fault(_ text: String) -> VaultError.SecretFault? { PassphraseFloor.fault(of: SecretBytes(utf8: text)) }

    /// attacks.md, the vault, 14
    @Test(
        "One of those that are tried first is refused, however it is dressed up",
        arguments: [
            "password", "Password", "PASSWORD1", "P@ssw0rd!", "pa$$w0rd", "Passwort123", "password2024",
            "passwordpassword",
            "letmein!!", "iloveyou", "I love you", "welcome-1", "sunshine99", "Dragon!!", "12345678", "123456789",
            "87654321",
            "1234567890", "11111111", "aaaaaaaa", "abababab", "abcabcabc", "qwertyuiop", "Qwerty123", "qwertz123456",
            "1q2w3e4r", "1qaz2wsx", "zaq12wsx", "asdfghjkl", "qazwsxedc", "abcdefgh", "zyxwvuts", "14789632",
            "147258369",
            "19841224", "24.12.1984", "12/24/1984".replacing("/", with: "-"), "2001-01-31", "Michael1985", "m1ch43l!",
            "5unsh1ne",
            "correcthorsebatterystaple", "Correct Horse Battery Staple", "pass word", "secret00", "trustno1!",
            "football7",
        ])
    func common(_ text: String) { #expect(fault(text) == .commonPassphrase) }

    /// attacks.md, the vault, 14
    @Test(
        "Nothing but blanks is refused, whatever they are",
        arguments: ["        ", "\t\t\n\r        ", "\u{A0}\u{2003}\u{3000}\u{200B}\u{FEFF}"])
    func blank(_ text: String) { #expect(fault(text) == .blankPassphrase) }

    @Test(
        "Others are accepted, also with a common word in them",
        arguments: [
            "correct horse", "correct horse battery", "caf\u{E9} au lait", "open barley", "first schema",
            "monkey wrench tale",
            "wiZqy2-tibvek-jumpyx", "my dragon eats soup", "password of a stranger", "\u{5B89}\u{5168}\u{306A}\u{9375}",
            "31 sheep, 7 goats", "83920174652", "qwerty is my neighbour",
        ])
    func others(_ text: String) { #expect(fault(text) == nil) }

    @Test("Random passphrases are accepted")
    func random() {
        var generator = SeededGenerator(seed: 4)
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        for _ in 0..<500 {
            let text = String((0..<12).map { _ in letters.randomElement(using: &generator) ?? "a" })
            #expect(fault(text) == nil)
        }
    }

    @Test("The list and a digit or two after its words alone are more than ten thousand")
    func size() {
        #expect(CommonWords.count * 110 > 10_000 && CommonWords.count > 1500)
        let words = ["monkey", "batman", "schalke", "galatasaray", "hello", "xanadu"]
        for word in words { for number in 0..<100 { #expect(fault("\(word)\(number)") == .commonPassphrase) } }
    }

    @Test("No slot is made with one; keys and recovery keys are not asked, and one that is there already still opens")
    func slots() throws {
        var entropy = SeededGenerator(seed: 3)
        let weak = VaultSecret.passphrase("Password1")
        #expect(failure { _ = try NewSlot.test(weak) } == .unusableSecret(.commonPassphrase))
        #expect(failure { _ = try NewSlot.test(.passphrase(" \t      ")) } == .unusableSecret(.blankPassphrase))
        let zeros = SecretBytes(copying: repeatElement(0x20, count: 32), count: 32)
        _ = try NewSlot.test(.key(zeros))
        _ = try NewSlot.test(.recovery(.random(using: &entropy)))
        let salt = [UInt8](repeating: 5, count: 32)
        let former = NewSlot(
            kind: .passphrase, label: "former", cost: .least, salt: salt,
            wrappingKey: try weak.wrappingKey(salt: salt, cost: .least))
        let vault = try Vault.open(.memory)
        try vault.create([former], at: .at())
        vault.lock()
        #expect(try vault.unlock(weak).findings.isEmpty)
    }
}
