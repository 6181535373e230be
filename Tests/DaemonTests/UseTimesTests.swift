// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import Glibc
import SecretMemory
import Support
import TestGround
import Testing

@Suite("Times of last use", .blocking)
struct UseTimesTests {
    @Test("More times than a turn writes are written to the file without a further request")
    func withoutRequests() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        let user = try SocketConnection(to: daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        try user.call("admin.vault.create", Examples.newSecret)
        let users = (0..<30).map { "user-\($0)" }
        for method in ["credential.save", "credential.get"] {
            for name in users {
                var parameters: [String: Any] = ["service": Examples.shop, "user": name, "proof": Examples.proof]
                if method == "credential.save" { parameters["password"] = "secret" }
                #expect(try user.call(method, parameters).error == nil)
            }
        }
        let deadline = Date(timeIntervalSinceNow: 60)
        var written = 0
        while written < users.count, Date() < deadline {
            usleep(50_000)
            written = (try? Self.usedCredentials(in: daemon.folder)) ?? 0
        }
        #expect(written == users.count)
    }

    /// How many have a time of last use in the present files, which a killed daemon would leave.
    static func usedCredentials(in folder: String) throws -> Int {
        let copy = folder + "/copy"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: folder + "/data", toPath: copy)
        let vault = try Vault(at: .directory(copy), program: "tests")
        let now = Timestamp(milliseconds: 0)
        let key = SecretBytes(copying: TestFiles.key, count: TestFiles.key.count)
        _ = try vault.unlock(with: vault.slots.attempt(.key(key), at: now).derive(), at: now)
        return try vault.readers.credentials.page(after: nil, limit: 100).elements.count { $0.lastUsed != nil }
    }
}
