// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Prompting
import SecretMemory
import Support
import Testing

@Suite("The service that tests talk to")
struct TestServiceTests {
    @Test("It may be released while requests wait for the user, and for work that the test holds")
    func ends() throws {
        weak var gone: TestService?
        do {
            let daemon = try TestService(consent: .user)
            gone = daemon
            let (shop, control) = (daemon.connect(), daemon.connect())
            try shop.greet()
            try control.greet(as: "org.autofilld.autofillctl")
            _ = try shop.send(CredentialGet(service: .shop))
            #expect(!daemon.questions.isEmpty)
            _ = try daemon.begin(VaultCheck(proof: .test), control)
        }
        #expect(gone == nil)
    }
}
