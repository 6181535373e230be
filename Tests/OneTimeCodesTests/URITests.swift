// SPDX-License-Identifier: Apache-2.0
import OneTimeCodes
import SecretMemory
import TestGround
import Testing

@Suite("otpauth URIs")
struct URITests {
    private func read(_ uri: String) throws(OneTimePasswordError) -> OneTimePassword {
        var bytes = Array(uri.utf8)
        let result: Result<OneTimePassword, OneTimePasswordError> = bytes.withUnsafeMutableBytes { memory in
            do throws(OneTimePasswordError) {
                return .success(try OneTimePassword(uri: UnsafeRawBufferPointer(memory)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func refusal(_ uri: String) -> OneTimePasswordError? {
        do throws(OneTimePasswordError) {
            _ = try read(uri)
            return nil
        } catch {
            return error
        }
    }

    @Test("The example of the format is read, and printed with all its parameters")
    func example() throws {
        let password = try read(
            "otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example")
        #expect(password.issuer == "Example" && password.account == "alice@google.com")
        #expect(password.factor == .time(period: 30) && password.algorithm == .sha1 && password.digits == 6)
        #expect(password.secret.text.utf8.starts(with: "Hello!".utf8) && password.secret.count == 10)
        #expect(
            password.uri.text == "otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example"
                + "&algorithm=SHA1&digits=6&period=30")
    }

    @Test("All parameters count, in any case and order, and others are passed over")
    func parameters() throws {
        let password = try read(
            "OTPAUTH://HOTP/ACME%20Co%3A%20jo?digits=8&image=x&COUNTER=42&algorithm=sha512&secret=mzxw6ytboi#end")
        #expect(password.issuer == "ACME Co" && password.account == "jo")
        #expect(password.factor == .counter(42) && password.algorithm == .sha512 && password.digits == 8)
        #expect(password.secret.text == "foobar")
        let again = try read(password.uri.text)
        #expect(again.uri.text == password.uri.text && again.factor == .counter(42))
    }

    @Test(
        "RFC 4648's vectors are read with and without padding, with spaces, and written without",
        arguments: [
            ("MY======", "f"), ("MZXQ====", "fo"), ("MZXW6===", "foo"), ("MZXW6YQ=", "foob"), ("MZXW6YTB", "fooba"),
            ("MZXW6YTBOI======", "foobar"),
        ])
    func base32(encoded: String, plain: String) throws {
        let bare = encoded.filter { $0 != "=" }
        for text in [encoded, bare, encoded.replacing("=", with: "%3D"), bare.lowercased(), "%20" + bare + "-"] {
            #expect(try read("otpauth://totp/a?secret=" + text).secret.text == plain, "\(text)")
        }
        #expect(try read("otpauth://totp/a?secret=" + encoded).uri.text.contains("?secret=\(bare)&"))
    }

    @Test(
        "Each error has its own text",
        arguments: [
            ("", .notAnOTPAuthURI), ("https://example.com/?secret=MY", .notAnOTPAuthURI),
            ("otpauth:totp/a?secret=MY", .notAnOTPAuthURI), ("otpauth://totp/a", .notAnOTPAuthURI),
            ("otpauth://totp?secret=MY", .notAnOTPAuthURI), ("otpauth://steam/a?secret=MY", .unknownType),
            ("otpauth://totp/a?issuer=b", .secretMissing), ("otpauth://totp/a?secret=", .secretInvalid),
            ("otpauth://totp/a?secret=M1", .secretInvalid), ("otpauth://totp/a?secret=MYA", .secretInvalid),
            ("otpauth://totp/a?secret=M=Y", .secretInvalid), ("otpauth://totp/a?secret=MY&digits=5", .digitsInvalid),
            ("otpauth://totp/a?secret=MY&digits=9", .digitsInvalid),
            ("otpauth://totp/a?secret=MY&digits=six", .digitsInvalid),
            ("otpauth://totp/a?secret=MY&period=0", .periodInvalid),
            ("otpauth://totp/a?secret=MY&period=-30", .periodInvalid),
            ("otpauth://totp/a?secret=MY&period=2147483648", .periodInvalid),
            ("otpauth://totp/a?secret=MY&algorithm=MD5", .algorithmUnknown),
            ("otpauth://hotp/a?secret=MY", .counterMissing),
            ("otpauth://hotp/a?secret=MY&counter=", .counterInvalid),
            ("otpauth://hotp/a?secret=MY&counter=9007199254740992", .counterInvalid),
            ("otpauth://totp/a?secret=MY&secret=MY", .parameterRepeated),
            ("otpauth://totp/%4?secret=MY", .escapeInvalid), ("otpauth://totp/%FF?secret=MY", .escapeInvalid),
            ("otpauth://totp/a%0Ab?secret=MY", .escapeInvalid), ("otpauth://totp/a?secret=MY%", .escapeInvalid),
        ] as [(String, OneTimePasswordError)])
    func refused(uri: String, error: OneTimePasswordError) { #expect(refusal(uri) == error) }

    @Test("As many parameters as fit are read, each once")
    func manyParameters() throws {
        let names = (0..<1000).map { "p\($0)=1" }.joined(separator: "&")
        #expect(try read("otpauth://totp/a?\(names)&secret=MY").secret.count == 1)
        #expect(refusal("otpauth://totp/a?\(names)&secret=MY&P7=2") == .parameterRepeated)
    }

    @Test("A secret of the greatest length is accepted, a longer one is not")
    func longest() throws {
        let longest = OneTimePassword(secret: SecretBytes(count: 512) { _ in }, issuer: "Ü", account: "ö:/?&")
        let again = try read(longest.uri.text)
        #expect(again.secret.count == 512 && again.issuer == "Ü" && again.account == "ö:/?&")
        let longer = OneTimePassword(secret: SecretBytes(count: 513) { _ in })
        #expect(refusal(longer.uri.text) == .secretInvalid)
    }

    @Test(
        "Issuer and account are the same when the canonical form is read, as often as it is",
        arguments: [
            ("C?secret=MY&issuer=A%3AB", "A:B", "C"), ("%20%20b?secret=MY&issuer=X", "X", "b"),
            ("%CC%81b?secret=MY&issuer=A", "A", "\u{301}b"), ("A:B:C?secret=MY", "A", "B:C"),
            ("A:B?secret=MY&issuer=", "", "B"), (":x?secret=MY", "", "x"),
        ])
    func labels(uri: String, issuer: String, account: String) throws {
        var password = try read("otpauth://totp/" + uri)
        for _ in 0..<3 {
            #expect(password.issuer.map { Array($0.utf8) } == Array(issuer.utf8))
            #expect(Array(password.account.utf8) == Array(account.utf8))
            password = try read(password.uri.text)
        }
    }

    @Test("Any bytes are read or refused, without a trap")
    func anyBytes() {
        var generator = SeededGenerator(seed: 6238)
        let pieces = [
            "otpauth://", "totp/", "hotp/", "?", "&", "=", "secret", "%", "%4", "MZXW6", "counter", ":", "\u{FF}",
        ]
        for _ in 0..<5000 {
            let uri = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            if let password = try? read(uri.joined()) { #expect(refusal(password.uri.text) == nil) }
        }
    }
}
