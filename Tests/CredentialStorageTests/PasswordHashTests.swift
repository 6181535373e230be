// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import SecretMemory
import TestGround
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
    /// RFC 7914, section 12: scrypt of "pleaseletmein" and "SodiumChloride", N=2^14, r=8, p=1, 64 bytes.
    private static let vector =
        "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
        + "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"

    private func read(_ text: String) -> PasswordHash? { PasswordHash(phc: SecretBytes(utf8: text)) }

    @Test("The vector of RFC 7914 is known by its PHC string, is written back the same, and counts as weak")
    func vector() throws {
        let hash = try #require(read(Self.vector))
        #expect(hash.phc.text == Self.vector)
        #expect(hash.isWeak)
        let right = try hash.matches(SecretBytes(utf8: "pleaseletmein"))
        let wrong = try hash.matches(SecretBytes(utf8: "pleaseletmeout"))
        #expect(right && !wrong)
    }

    @Test("A new hash has a salt of its own, matches its password in any normal form, and is not weak")
    func new() throws {
        var generator = SeededGenerator(seed: 7914)
        let composed = SecretBytes(utf8: "p\u{E4}ssword")
        let first = try PasswordHash.make(of: composed, using: &generator)
        let second = try PasswordHash.make(of: composed, using: &generator)
        #expect(first.phc.text != second.phc.text && !first.isWeak)
        #expect(first.phc.text.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        let again = try #require(PasswordHash(phc: first.phc))
        let decomposed = try again.matches(SecretBytes(utf8: "pa\u{308}ssword"))
        #expect(decomposed)
    }

    @Test(
        "What is no hash of scrypt, too weak or too costly is refused",
        arguments: [
            "", "$", "plain", "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=13,r=8,p=1$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=21,r=8,p=1$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=17$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$r=8,ln=14,p=1$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=014,r=8,p=1$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=1,x=1$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=1$U29k$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU=$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGV$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$aGFzaA",
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$aGFzaGhhc2hoYXNoaGFzaA$",
        ])
    func refused(_ text: String) { #expect(read(text) == nil) }
}
