// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

/// A value: the number of its kind (1), the length of its content, the content.
extension ElementValue {
    /// The numbers are never reused. `noCode` states that there is no code any more.
    private enum Number: UInt8 {
        case password = 1
        case code, noCode, site, user, field
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(number)
        writer.put(compact: UInt64(BinaryWriter.length(of: writeContent)))
        writeContent(to: &writer)
    }

    private var number: UInt8 {
        switch self {
        case .password: Number.password.rawValue
        case .code(let code): code == nil ? Number.noCode.rawValue : Number.code.rawValue
        case .site: Number.site.rawValue
        case .user: Number.user.rawValue
        case .field: Number.field.rawValue
        case .unknown(let number, _): number
        }
    }

    private func writeContent(to writer: inout BinaryWriter) {
        switch self {
        case .password(let secret, let site, let user):
            writer.put(counted: secret)
            writer.put(counted: site)
            writer.append(contentsOf: user)
        case .code(let code?):
            writer.put(code.nonce)
            writer.put(whole: code.uri)
        case .code(nil): break
        case .site(let text), .user(let text): writer.append(contentsOf: text)
        case .field(let name, let value):
            writer.put(counted: name)
            writer.put(whole: value)
        case .unknown(_, let content): writer.put(whole: content)
        }
    }

    /// Nil where the content does not fit its kind. A kind of a later version is kept.
    init?(from reader: inout BinaryReader) {
        let number: UInt8 = reader.integer()
        let length = reader.count(ofAtLeast: 1)
        guard number > 0, let bytes = reader.take(length) else { return nil }
        var content = BinaryReader(bytes)
        switch Number(rawValue: number) {
        case .password:
            let secret = content.countedSecret()
            let site = content.countedText()
            self = .password(secret, site: site, user: content.remainingText())
        case .code:
            let nonce: UInt64 = content.integer()
            self = .code(OneTimeCode(uri: content.remainingSecret(), nonce: nonce))
        case .noCode: self = .code(nil)
        case .site: self = .site(content.remainingText())
        case .user: self = .user(content.remainingText())
        case .field:
            let name = content.countedText()
            self = .field(name, content.remainingSecret())
        case nil: self = .unknown(number, content.remainingSecret())
        }
        guard content.isIntact, content.remaining == 0 else { return nil }
    }
}
