// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension VaultStatements {
    /// Calls `body` with each credential, deleted or not, in the order of their ids, until it returns false. Skips rows that are
    /// not what was sealed; the manifest is not read.
    package func eachCredential(
        keys: VaultKeys, _ progress: VaultProgress, _ body: (Credential) -> Bool
    ) throws(VaultError) {
        let first = [Credential.idKind.rawValue]
        let last = first + [UInt8](repeating: 0xFF, count: 16)
        try records.ofKind.each([.bytes(first), .bytes(last), .integer(-1)]) { row throws(VaultError) in
            try progress.advance()
            guard let row = RecordRow(row) else { return true }
            let credential = try row.open(key: keys.records) { Credential(plain: $0, id: row.id, version: row.version) }
            return (credential ?? nil).map(body) ?? true
        }
    }
}
