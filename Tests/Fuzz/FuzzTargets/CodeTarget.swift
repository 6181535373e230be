// SPDX-License-Identifier: Apache-2.0
import Foundation
import OneTimeCodes
import SecretMemory

/// `otpauth://` URIs: an accepted one is within bounds, its canonical form means the same to this reader, and to
/// Foundation's.
enum CodeTarget {
    static let seeds = [
        "otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example",
        "OTPAUTH://HOTP/ACME%20Co%3A%20jo?digits=8&image=x&COUNTER=42&algorithm=sha512&secret=mzxw6ytboi#end",
        "otpauth://totp/%C3%BC?secret=MZXW%3D%3D&period=60&issuer=A%3AB&algorithm=SHA256",
        "otpauth://hotp/a:b:c?counter=9007199254740991&secret=GEZD-GNBV%20GY3TQOJQ&digits=7",
    ].map { Array($0.utf8) }

    static func run(_ input: [UInt8]) throws {
        let read: OneTimePassword
        do throws(OneTimePasswordError) {
            read = try self.read(input)
        } catch {
            return try require(!error.expected.isEmpty, "a refusal without a text")
        }
        try require(OneTimePassword.secretBytes.contains(read.secret.count), "\(read.secret.count) bytes of secret")
        try require(OneTimePassword.digitCounts.contains(read.digits), "\(read.digits) digits")
        switch read.factor {
        case .time(let period): try require((1...OneTimePassword.longestPeriod).contains(period), "\(period) s")
        case .counter(let counter): try require(counter <= OneTimePassword.greatestCounter, "counter \(counter)")
        }
        let canonical = read.uri.withUnsafeBytes { Array($0) }
        guard let again = try? self.read(canonical) else { throw FuzzFind("the canonical form is refused") }
        try require(again.uri.equals(read.uri), "the canonical form is not stable")
        try require(again.secret.equals(read.secret), "another secret")
        try require(
            again.factor == read.factor && again.algorithm == read.algorithm && again.digits == read.digits,
            "other parameters")
        try require(
            again.issuer.map { Array($0.utf8) } == read.issuer.map { Array($0.utf8) }
                && again.account.utf8.elementsEqual(read.account.utf8), "another label")
        try holdCodes(read, again)
        try holdAgainstFoundation(read, String(decoding: canonical, as: UTF8.self))
    }

    private static func read(_ bytes: [UInt8]) throws(OneTimePasswordError) -> OneTimePassword {
        let result: Result<OneTimePassword, OneTimePasswordError> = bytes.withExactMemory { memory in
            do throws(OneTimePasswordError) { return .success(try OneTimePassword(uri: memory)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func holdCodes(_ read: OneTimePassword, _ again: OneTimePassword) throws {
        let code = read.code(counter: 1)
        let digits = code.withUnsafeBytes { Array($0) }
        try require(digits.count == read.digits && digits.allSatisfy { (48...57).contains($0) }, "a code of \(digits)")
        try require(code.equals(again.code(counter: 1)), "another code")
        guard let timed = read.code(atMilliseconds: 1_795_253_400_000) else {
            if case .time = read.factor { throw FuzzFind("no code of the time") }
            return
        }
        try require(timed.validUntil > 1_795_253_400_000, "a code that no longer holds")
    }

    private static func holdAgainstFoundation(_ read: OneTimePassword, _ uri: String) throws {
        guard let components = URLComponents(string: uri), let items = components.queryItems else {
            throw FuzzFind("Foundation does not read \(uri)")
        }
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        let (type, moving, value) =
            switch read.factor {
            case .time(let period): ("totp", "period", "\(period)")
            case .counter(let counter): ("hotp", "counter", "\(counter)")
            }
        try require(components.scheme == "otpauth" && components.host == type, "\(uri) is of another type")
        try require(values[moving] == value && values["digits"] == "\(read.digits)", "\(uri) has other numbers")
        try require(values["algorithm"] == read.algorithm.rawValue, "\(uri) has another algorithm")
        try require(values["issuer"].map { Array($0.utf8) } == read.issuer.map { Array($0.utf8) }, "\(uri): issuer")
        let label = "/" + (read.issuer.map { $0 + ":" } ?? "") + read.account
        try require(components.path.utf8.elementsEqual(label.utf8), "\(uri) has the label \(components.path)")
        let secret = read.secret.withUnsafeBytes { Array($0) }
        try require(base32(values["secret"] ?? "") == secret, "\(uri) has another secret")
    }

    /// RFC 4648, by way of a text of ones and noughts.
    private static func base32(_ text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bits = text.flatMap { letter in
            let value = alphabet.firstIndex(of: letter) ?? 0
            return (0..<5).reversed().map { value >> $0 & 1 }
        }
        bits.removeLast(bits.count % 8)
        return stride(from: 0, to: bits.count, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | UInt8($1) } }
    }
}
