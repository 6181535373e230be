// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The lines that are sent.
enum Lines {
    static let hello = request(
        "hello", #"{"bundleID":"\#(BenchmarkEnvironment.app)","protocol":{"min":1,"max":1}}"#)

    static func user(_ number: Int) -> String { "user\(number)@example.com" }

    static func get(_ number: Int) -> [UInt8] { get(BenchmarkEnvironment.service, user(number)) }

    static func get(_ domain: String, _ user: String) -> [UInt8] {
        request("credential.get", #"{"service":{"type":"domain","value":"\#(domain)"},"user":"\#(user)"}"#)
    }

    /// To the site called `part` below the app's domain.
    static func save(_ user: String, to name: String, _ password: String = "wiZqy2-tibvek-jumpyx") -> [UInt8] {
        request(
            "credential.save",
            #"{"service":{"type":"domain","value":"\#(name).\#(BenchmarkEnvironment.service)"},"user":"\#(user)","#
                + #""password":"\#(password)"}"#)
    }

    /// With the user's proof: it is no app's own.
    static func saveForUser(_ user: String, at domain: String) -> [UInt8] {
        request(
            "credential.save",
            #"{"service":{"type":"domain","value":"\#(domain)"},"user":"\#(user)","password":"p","proof":\#(proof)}"#)
    }

    private static let proof =
        #"{"type":"key","key":{"base64":"\#(Data(BenchmarkEnvironment.key).base64EncodedString())"}}"#

    /// A page of the record of releases.
    static func releases(after cursor: String?) -> [UInt8] {
        let start = cursor.map { #""cursor":"\#($0)","# } ?? ""
        return request("admin.release.list", #"{\#(start)"limit":100,"proof":\#(proof)}"#)
    }

    static func suggest(form: String) -> [UInt8] {
        request(
            "autofill.suggest",
            #"{"service":{"type":"domain","value":"new.\#(BenchmarkEnvironment.service)"},"form":{"id":"\#(form)","fields":["#
                + #"{"id":"mail","contentType":"username","keyboardType":"emailAddress"},"#
                + #"{"id":"new","contentType":"newPassword","secure":true,"#
                + #""passwordRules":"minlength: 20; required: lower; required: upper; required: digit;"}]}}"#)
    }

    /// The user's approval of an entry of the app's registration: no site here has a statement.
    static func approve(_ domain: String, key: [UInt8]) -> [UInt8] {
        request(
            "admin.domain.approve",
            #"{"bundleID":"\#(BenchmarkEnvironment.app)","domain":"\#(domain)","#
                + #""proof":{"type":"key","key":{"base64":"\#(Data(key).base64EncodedString())"}}}"#)
    }

    /// What is refused: a line of the greatest length, one of too many levels, and a site that is not the app's.
    static let long = request("status", #"{"x":"\#(String(repeating: "y", count: 64 * 1024 - 70))"}"#)
    static let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1000) + [0x0A]
    static let nothing = request("request.cancel", #"{"id":2}"#)
    static let refused = request("credential.get", #"{"service":{"type":"domain","value":"other.example.net"}}"#)

    static func decline(_ offer: String) -> [UInt8] { request("autofill.decline", #"{"offer":"\#(offer)"}"#) }

    static func bare(request: Int, answer: Int) -> [UInt8] {
        let number = Array("\(answer) ".utf8)
        return number + [UInt8](repeating: UInt8(ascii: "."), count: max(0, request - number.count - 1)) + [0x0A]
    }

    private static func request(_ method: String, _ parameters: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#.utf8) + [0x0A]
    }
}
