// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import SecretMemory
import Testing

@Suite("Base64")
struct Base64Tests {
    private func encode(_ source: [UInt8]) -> String {
        var target = [UInt8](repeating: 0, count: Base64.encodedCount(source.count))
        target.withUnsafeMutableBytes { target in source.withUnsafeBytes { Base64.encode($0, to: target) } }
        return String(decoding: target, as: UTF8.self)
    }

    private func decode(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { Base64.decode($0) }?.withUnsafeBytes { Array($0) }
    }

    @Test("The test vectors of RFC 4648, section 10, hold both ways")
    func vectors() {
        let vectors = [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
        for (plain, encoded) in vectors {
            #expect(encode(Array(plain.utf8)) == encoded)
            #expect(decode(encoded) == Array(plain.utf8))
        }
    }

    @Test("Every pair of bytes goes through both ways, as Foundation has it")
    func pairs() {
        for first in UInt8.min...UInt8.max {
            let bytes = (UInt8.min...UInt8.max).flatMap { [first, $0] }
            let encoded = encode(bytes)
            #expect(encoded == Data(bytes).base64EncodedString())
            #expect(decode(encoded) == bytes)
        }
    }

    @Test("Only the characters of the alphabet are taken, whatever their place")
    func alphabet() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for byte in UInt8.min...UInt8.max {
            for place in 0..<4 {
                var text = Array("AAAAAAAA".utf8)
                text[place] = byte
                let decoded = text.withUnsafeBytes { Base64.decode($0) }
                #expect((decoded != nil) == alphabet.contains(byte), "byte \(byte) at \(place)")
            }
        }
    }

    @Test(
        "What is not canonical is refused",
        arguments: [
            "A", "AA", "AAA", "=", "==", "====", "A===", "AA=", "=AAA", "AA=A", "AAAA=", "AA==AAAA", "AB==", "AAB=",
            "Zm9v\n", "Zm9v ", " Zm9v", "Zm9v====", "Zg", "Z===", "Zm-_", "\u{0}AAA",
        ])
    func refused(text: String) {
        #expect(decode(text) == nil)
    }
}
