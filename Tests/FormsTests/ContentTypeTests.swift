// SPDX-License-Identifier: Apache-2.0
import Forms
import Testing

@Suite("Content types")
struct ContentTypeTests {
    @Test(
        "Apple's raw value and its name in Swift are the same content type",
        arguments: [
            ("username", "username", ContentType.username), ("password", "password", .password),
            ("new-password", "newPassword", .newPassword), ("one-time-code", "oneTimeCode", .oneTimeCode),
            ("email", "emailAddress", .emailAddress), ("tel", "telephoneNumber", .telephoneNumber),
            ("honorifix-prefix", "namePrefix", .namePrefix), ("additional-name", "middleName", .middleName),
            ("organization-title", "jobTitle", .jobTitle),
            ("address-level1+2", "addressCityAndState", .addressCityAndState),
            ("url", "URL", .url), ("bday", "birthdate", .birthdate),
            ("cc-csc", "creditCardSecurityCode", .creditCardSecurityCode),
            ("esim-eid", "cellularEID", .cellularEID), ("date-time", "dateTime", .dateTime),
        ])
    func names(raw: String, swift: String, type: ContentType) {
        #expect(type.rawValue == raw)
        #expect(ContentType(named: raw) == type)
        #expect(ContentType(named: swift) == type)
        #expect(type.swiftName == swift)
    }

    @Test("No two content types have the same name, in Swift or raw")
    func distinct() {
        let names = ContentType.allCases.flatMap { Set([$0.rawValue, $0.swiftName]) }
        #expect(Set(names).count == names.count)
    }

    @Test(
        "An unrecognised content type is accepted, and its field is not filled, whatever the field's words are"
    )
    func unknown() {
        for name in ["passkey-name", "NewPassword", ""] {
            #expect(ContentType(named: name) == .other)
            let field = FormField(
                id: "password", contentType: ContentType(named: name), isSecure: true, type: "password")
            #expect(FormAnalysis(of: [field]).findings.first?.role == .other)
        }
    }

    @Test(
        "Only the five content types that AutoFill fills determine the role of a field, and those of cards are a card's"
    )
    func fills() {
        for type in ContentType.allCases {
            let role = FormAnalysis(of: [FormField(id: "x", contentType: type)]).findings.first?.role
            let expected: FieldFinding.Role =
                switch type {
                case .username: .username
                case .emailAddress: .emailAddress
                case .password: .password
                case .newPassword: .newPassword
                case .oneTimeCode: .oneTimeCode
                default: type.rawValue.hasPrefix("cc-") ? .payment : .other
                }
            #expect(role == expected, "\(type)")
        }
    }
}
