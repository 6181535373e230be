// SPDX-License-Identifier: Apache-2.0
import Support

/// Registrations of apps that may ask for services that are no associated domains.
enum WideRegistrations {
    static let browser = "org.example.Browser"
    static let helper = "org.example.Helper"
    static let shop = "org.example.Shop"

    static func folder(_ others: [String: String] = [:]) throws -> TestRegistrations {
        try TestRegistrations(
            [
                browser: registration(browser, #""com.apple.developer.web-browser": true"#),
                helper: registration(helper, #""org.autofilld.credential-helper": true"#),
                shop: registration(
                    shop,
                    """
                    "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
                    "com.apple.developer.authentication-services.autofill-credential-provider": true
                    """),
            ].merging(others) { $1 })
    }

    static func registration(_ bundleID: String, _ entitlements: String) -> String {
        #"{"bundleID": "\#(bundleID)", "name": "\#(bundleID.split(separator: ".").last ?? "")", "entitlements": {\#(entitlements)}}"#
    }
}
