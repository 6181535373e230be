// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support

/// Lines from a client to a daemon: one answer at most to each, well formed, and never what is not the client's.
enum RequestTarget {
    private static let needle = "needle-of-the-bank"

    static let seeds: [[UInt8]] = {
        let shop = #"{"type":"domain","value":"shop.example.com"}"#
        let fields = #"[{"id":"u","contentType":"username"},{"id":"p","contentType":"newPassword","secure":true}]"#
        let calls = [
            ("hello", #"{"bundleID":"org.example.Shop","protocol":{"min":1,"max":1},"strict":false}"#),
            ("status", "{}"), ("diagnose", #"{"service":\#(shop),"form":{"fields":\#(fields)}}"#),
            ("autofill.suggest", #"{"service":\#(shop),"form":{"id":"f","fields":\#(fields)}}"#),
            ("autofill.suggest", #"{"service":\#(shop),"form":{"fields":\#(fields),"focus":"p"}}"#),
            (
                "code.set",
                #"{"service":\#(shop),"user":"ann","uri":"otpauth://totp/Shop:ann?secret=GEZDGNBV&digits=8"}"#
            ),
            ("autofill.fill", #"{"offer":"off_00000000000000000000000000000000"}"#),
            ("autofill.accept", #"{"offer":"off_00000000000000000000000000000000","user":"ann"}"#),
            ("credential.save", #"{"service":\#(shop),"user":"ann","password":"\u0070\ud83d\ude00"}"#),
            ("credential.get", #"{"service":{"type":"domain","value":"bank.example.com"},"user":"ann"}"#),
            ("credential.list", #"{"service":\#(shop),"limit":5,"cursor":null}"#),
            ("admin.grant.list", #"{"proof":{"type":"passphrase","passphrase":"wrong"}}"#),
            ("request.cancel", #"{"id":"x"}"#),
        ]
        let lines = calls.enumerated().map { number, call in
            #"{"jsonrpc":"2.0","id":\#(number),"method":"\#(call.0)","params":\#(call.1)}"#
        }
        return [lines.joined(separator: "\n")].map { Array($0.utf8) } + lines.map { Array($0.utf8) }
    }()

    static func run(_ input: [UInt8]) throws {
        let daemon = try TestService()
        let bank = daemon.connect(.process(path: "/home/user/bank", inode: 8))
        try bank.hello("org.example.Bank")
        try bank.call("credential.save", ["service": Examples.bank, "user": "ann", "password": needle])
        let client = daemon.connect()
        let lines = input.split(separator: 0x0A).prefix(32)
        // Most inputs are for a client that has sent hello.
        if input.count % 8 != 0 { try client.hello() }
        for line in lines {
            let answers = try client.exchange(bytes: line)
            try require(answers.count <= 1, "\(answers.count) answers to one line")
            for answer in answers {
                try require(!answer.contains(needle), "the bank's password left: \(answer)")
                var scanner = JSONScanner()
                let bytes = Array(answer.utf8)
                _ = try bytes.withUnsafeBytes { try scanner.scan($0) { value in value.kind } }
            }
        }
        let again = try bank.call("credential.get", ["service": Examples.bank, "user": "ann"])
        try require(again.text("password") == needle, "the bank's password is lost")
    }
}
