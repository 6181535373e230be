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

    /// RFC 7914, section 12: the hash of `pleaseletmein`.
    package static let passwordHash =
        "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
        + "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"

    /// Proof with the key of every vault in tests.
    package static var proof: [String: Any] { keyProof(TestFiles.key) }

    /// Proof that does not open the vaults in tests.
    package static var wrongProof: [String: Any] { keyProof(Data(repeating: 1, count: 32)) }

    package static func keyProof(_ key: some Sequence<UInt8>) -> [String: Any] {
        ["type": "key", "key": base64(key)]
    }

    /// That key as the secret of a new slot.
    package static var newSecret: [String: Any] { ["key": base64(TestFiles.key)] }

    private static func base64(_ key: some Sequence<UInt8>) -> [String: Any] {
        ["base64": Data(key).base64EncodedString()]
    }
}
