// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge

extension SyncSecret {
    init(_ text: String) { self.init(SecretBytes(utf8: text)) }

    var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension ElementValue {
    /// What a user sees of the value; nil is "no code".
    var text: String? {
        switch self {
        case .password, .code: secret?.text
        case .site(let text), .user(let text): text
        case .field(_, let value), .unknown(_, let value): value.text
        }
    }
}

extension RecordView {
    /// All passwords, the one in use first.
    var passwordTexts: [String] { ([password].compactMap(\.self) + history).map(\.secret.text) }

    /// All codes, the one in use first: nil where there is none.
    var codeTexts: [String?] { [code?.uri.text] + formerCodes.map(\.uri.text) }
}

extension SyncOperation {
    var record: ObjectID? {
        switch self {
        case .add(let id, _), .dead(let id, _, _), .gone(let id, _, _): id
        case .counter: nil
        }
    }
}
