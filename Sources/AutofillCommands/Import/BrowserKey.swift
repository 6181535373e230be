// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons
import SecretMemory
import Systemd

/// The password of the key of a profile of Chromium, which the browser stores in the Secret Service
/// (components/os_crypt/sync/key_storage_libsecret.cc).
enum BrowserKey {
    private static let schemas = ["chrome_libsecret_os_crypt_password_v2", "chrome_libsecret_os_crypt_password"]

    /// - Parameter profile: the path of the profile, which has the browser's name.
    static func find(
        of profile: String, _ environment: ProcessEnvironment = .current
    ) throws(CommandFailure) -> SecretBytes {
        do throws(BusError) {
            let client = try SecretServiceClient.running(environment).0
            var isLocked = false
            for schema in schemas {
                let found = try client.search([SecretServiceNames.schema: schema])
                isLocked = isLocked || !found.locked.isEmpty
                var applications: [String: String] = [:]
                for path in found.unlocked {
                    try client.properties(of: path, "Item") { (name, value) throws(BusError) in
                        guard name == "Attributes" else { return try value.skip("v") }
                        applications[try value.readAttributes()["application"] ?? ""] = path
                    }
                }
                if let path = path(of: profile, applications) { return try client.secret(of: path).0 }
            }
            throw BusError(name: isLocked ? "the keyring is locked" : "it has no key of this browser", text: "")
        } catch {
            throw CommandFailure(
                .refused,
                "The key of \(profile.printable) is in Secret Service or KWallet: \(error.description.printable)",
                fix: "Unlock your keyring; or: secret-tool lookup application chromium | autofillctl import "
                    + "\(profile.printable.shellQuoted) --file-password-fd 0 (of Chrome: application chrome)")
        }
    }

    /// The item of the browser whose name is in the path; the only one, if there is no other.
    static func path(of profile: String, _ applications: [String: String]) -> String? {
        let profile = profile.lowercased()
        let named = applications.filter { !$0.key.isEmpty && profile.contains($0.key) }
        // "chromium" is longer than "chrome": each occurs in one path only.
        return named.max { $0.key.count < $1.key.count }?.value
            ?? (applications.count == 1 ? applications.first?.value : nil)
    }
}
