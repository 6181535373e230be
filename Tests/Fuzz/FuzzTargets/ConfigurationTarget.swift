// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import ConfigurationFiles
import Foundation
import Settings

/// Files that users write: a mistake is reported with its position and its fix, and an accepted file is canonical.
enum ConfigurationTarget {
    static let registrations = [
        """
        {"bundleID":"org.example.Shop","name":"Example Shop","executables":["/usr/bin/shop"],"entitlements":{
        "com.apple.developer.associated-domains":["webcredentials:shop.example.com","webcredentials:*.example.org"],
        "com.apple.developer.authentication-services.autofill-credential-provider":true,
        "keychain-access-groups":["org.example.suite"]}}
        """,
        #"{"bundleID":"org.example.Ü","name":"","executables":["bin"],"entitlements":{"x":1}}"#,
    ].map { Array($0.utf8) }

    static let settings = [
        #"{"keychain":true,"autoFill":false,"strongPasswords":{"except":["org.example.Shop"]}}"#,
        #"{"lockWhenIdleMinutes":15,"strongPasswordStyle":"random","vault":{"keyFile":"/etc/key"}}"#,
    ].map { Array($0.utf8) }

    static func runRegistration(_ input: [UInt8]) throws {
        let path = try file(input)
        for owner in [Registration.Owner.root, .user] {
            do {
                let checked = try RegistrationFile.check(path, as: owner, refusing: nil)
                let bundleID = checked.registration.bundleID.text
                try require(!bundleID.isEmpty && bundleID.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, bundleID)
                for domain in checked.registration.entitlements.associatedDomains {
                    try require(domain.description.utf8.allSatisfy { $0 < 0x80 }, "\(domain) is not ASCII")
                }
            } catch let problem as ConfigurationFileProblem {
                try require(!problem.description.isEmpty, "a refusal without a text")
            }
        }
    }

    static func runSettings(_ input: [UInt8]) throws {
        do {
            _ = try SettingsFiles(administrator: nil, user: try file(input), userID: geteuid()).load()
        } catch let problem as ConfigurationFileProblem {
            try require(!problem.description.isEmpty, "a refusal without a text")
        }
    }

    /// A file with these bytes, the same one each time.
    private static func file(_ bytes: [UInt8]) throws -> String {
        let path = FuzzFolder.path + "/file.json"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}

/// A folder that this process writes in.
enum FuzzFolder {
    static let path: String = {
        var template = Array("/tmp/af-fuzz.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { return NSTemporaryDirectory() }
        return String(cString: made)
    }()
}
