// SPDX-License-Identifier: Apache-2.0

/// The purpose of a text field as the app states it: Apple's `UITextContentType`. The names are those of its
/// documentation (developer.apple.com/documentation/uikit/uitextcontenttype), the raw values those of the string
/// constants in UIKit: the web's autocomplete tokens but for `password`, `honorifix-…` (Apple's own spelling) and what
/// the web has no token for.
package enum ContentType: String, CaseIterable, Sendable {
    case username
    case password
    case newPassword = "new-password"
    case oneTimeCode = "one-time-code"
    case emailAddress = "email"

    case name
    case namePrefix = "honorifix-prefix"
    case givenName = "given-name"
    case middleName = "additional-name"
    case familyName = "family-name"
    case nameSuffix = "honorifix-suffix"
    case nickname
    case jobTitle = "organization-title"
    case organizationName = "organization"
    case location
    case fullStreetAddress = "street-address"
    case streetAddressLine1 = "address-line1"
    case streetAddressLine2 = "address-line2"
    case addressCity = "address-level2"
    case addressState = "address-level1"
    case addressCityAndState = "address-level1+2"
    case sublocality = "address-level3"
    case countryName = "country-name"
    case postalCode = "postal-code"
    case telephoneNumber = "tel"
    case url
    case birthdate = "bday"
    case birthdateDay = "bday-day"
    case birthdateMonth = "bday-month"
    case birthdateYear = "bday-year"
    case creditCardNumber = "cc-number"
    case creditCardName = "cc-name"
    case creditCardGivenName = "cc-given-name"
    case creditCardMiddleName = "cc-additional-name"
    case creditCardFamilyName = "cc-family-name"
    case creditCardType = "cc-type"
    case creditCardExpiration = "cc-exp"
    case creditCardExpirationMonth = "cc-exp-month"
    case creditCardExpirationYear = "cc-exp-year"
    case creditCardSecurityCode = "cc-csc"
    case shipmentTrackingNumber = "shipment-tracking-number"
    case flightNumber = "flight-number"
    case dateTime = "date-time"
    case cellularEID = "esim-eid"
    case cellularIMEI = "esim-imei"
    /// Any other: not filled.
    case other

    /// A content type by Apple's raw value or by its name in Swift.
    package init(named name: String) {
        self = Self(rawValue: name) ?? Self.bySwiftName[name] ?? .other
    }

    /// Its name in Swift.
    package var swiftName: String { self == .url ? "URL" : "\(self)" }

    private static let bySwiftName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.swiftName, $0) })
}

/// Which keyboard an app asks for: Apple's `UIKeyboardType`, by the names of its cases in Swift (its raw values are
/// numbers).
package enum KeyboardType: String, CaseIterable, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, numberPad, phonePad, namePhonePad, emailAddress
    case url = "URL"
    case decimalPad, twitter, webSearch, asciiCapableNumberPad
}
