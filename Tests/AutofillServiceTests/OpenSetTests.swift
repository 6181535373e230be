// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import Testing

@Suite("Values that are not known yet")
struct OpenSetTests {
    private func suggest(_ fields: [[String: Any]]) throws -> TestAnswer {
        let app = try TestService().connect()
        try app.hello()
        return try app.call("autofill.suggest", ["service": Examples.shop, "form": ["fields": fields]])
    }

    @Test("Apple's raw values and Swift names mean the same")
    func names() throws {
        for (user, new) in [("username", "new-password"), ("username", "newPassword")] {
            let answer = try suggest([
                ["id": "u", "contentType": user], ["id": "n", "contentType": new, "secure": true],
            ])
            #expect(answer.roles == ["u": "username", "n": "newPassword"] && answer.types == ["strongPassword"])
        }
        #expect(try suggest([["id": "e", "contentType": "email"]]).roles == ["e": "emailAddress"])
        #expect(try suggest([["id": "c", "contentType": "one-time-code"]]).roles == ["c": "oneTimeCode"])
    }

    @Test(
        "Any other content type is taken, and its field is for nothing that is filled",
        arguments: ["name", "tel", "telephoneNumber", "creditCardNumber", "cc-number", "URL", "later-2031"])
    func contentTypes(_ type: String) throws {
        let filled = ["username", "emailAddress", "password", "newPassword", "confirmation", "oneTimeCode"]
        for hint: [String: Any] in [["label": "User name"], ["type": "password", "secure": true]] {
            let answer = try suggest([
                hint.merging(["id": "x", "contentType": type]) { $1 },
                ["id": "p", "contentType": "password", "secure": true],
            ])
            #expect(answer.error == nil && answer.roles["p"] == "password")
            #expect(answer.roles["x"].map(filled.contains) == false, "\(answer.roles)")
            #expect(answer.suggestion("savedCredentials")?["fields"] as? [String] == ["p"])
        }
    }

    @Test("Keyboards, input types and autocomplete tokens that are not known have no effect")
    func others() throws {
        let answer = try suggest([
            [
                "id": "u", "contentType": "username", "keyboardType": "URL", "type": "later",
                "autocomplete": "later x-y",
            ],
            ["id": "p", "contentType": "password", "secure": true, "keyboardType": "decimalPad", "later": ["a": 1]],
        ])
        #expect(answer.roles == ["u": "username", "p": "password"])
        #expect(answer.result?["warnings"] as? [String] == ["unknown parameter: form.fields[1].later"])
    }
}
