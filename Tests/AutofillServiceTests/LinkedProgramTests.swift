// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite("A program that is registered by a link to it")
struct LinkedProgramTests {
    private static let registration = """
        {"bundleID": "org.example.Shop", "name": "Shop", "executables": ["/usr/bin/shop-link"], "entitlements":
         {"com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
          "com.apple.developer.authentication-services.autofill-credential-provider": true}}
        """

    @Test("The user's consent by command is for the program that the link names")
    func allowed() throws {
        let registrations = try TestRegistrations(["org.example.Shop": Self.registration])
        let identity = ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5)
        let files = FileInspections(
            registered: { paths in
                paths.map {
                    RegisteredExecutable(path: $0, target: "/usr/bin/shop", identity: identity, isRootOwned: true)
                }
            }, contentHash: { _, _ in nil })
        let daemon = try TestService(consent: .user, registrations: registrations.path, files: files)
        let user = try daemon.user()
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let allowed = try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(allowed.grants.map(\.executable) == ["path:/usr/bin/shop"])
        let app = daemon.connect(.systemProgram)
        try app.greet()
        #expect(try app.answer(to: CredentialGet(service: .shop, interaction: .forbid)).summary.user == "ann")
    }
}
