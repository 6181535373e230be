// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Foundation
package import Prompting
package import SecretMemory
package import Settings

/// A vault with a passphrase: made once, since that needs seconds; each service has a copy.
extension TestService {
    /// What opens the vault of `withPassphrase`.
    package static var passphrase: SecretBytes { SecretBytes(utf8: "correct horse battery") }

    /// A service on disk, whose vault the passphrase opens (slot 1), and the key of every vault in tests (slot 2).
    ///
    /// - Parameter isLocked: whether nobody has opened it yet.
    package static func withPassphrase(
        consent: Consent = .absent, settings: DaemonSettings = DaemonSettings(), isLocked: Bool = false
    ) throws -> TestService {
        let made = try madeVault.get()
        let copy = "\(made)/\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: made + "/vault", toPath: copy)
        let service = try TestService(
            location: .directory(copy), isCreated: false, consent: consent, settings: settings)
        if !isLocked { try service.user().answer(to: VaultUnlock(proof: .test)) }
        return service
    }

    /// The folder of that vault and of its copies; it is deleted with the process.
    private static let madeVault: Result<String, any Error> = Result {
        let folder = try TestFiles.folder()
        let service = try TestService(location: .directory(folder + "/vault"), isCreated: false)
        let key = SecretBytes(copying: TestFiles.key, count: TestFiles.key.count)
        try service.user().answer(to: VaultCreate(secrets: [.passphrase(passphrase), .key(key)]))
        try service.close()
        atexit {
            if let folder = try? TestService.madeVault.get() { try? FileManager.default.removeItem(atPath: folder) }
        }
        return folder
    }
}
