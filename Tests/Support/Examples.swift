// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Parameters that many tests send.
package enum Examples {
    package static var shop: [String: Any] { ["type": "domain", "value": "shop.example.com"] }
    package static var bank: [String: Any] { ["type": "domain", "value": "bank.example.com"] }

    /// A sign-up form with a confirmation field.
    package static var signUp: [[String: Any]] {
        [
            ["id": "mail", "contentType": "username", "keyboardType": "emailAddress"],
            [
                "id": "new", "contentType": "newPassword", "secure": true,
                "passwordRules": "required: upper; required: digit;",
            ],
            ["id": "again", "contentType": "newPassword", "secure": true],
        ]
    }

    package static var signIn: [[String: Any]] {
        [["id": "mail", "contentType": "username"], ["id": "password", "contentType": "password", "secure": true]]
    }

    /// Proof with the key of every vault in tests.
    package static var proof: [String: Any] { ["key": ["base64": TestFiles.key.base64EncodedString()]] }
}
