// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
internal import SecretMemory

/// The current user of an app, as it is kept in the vault: JSON, under a setting's name of its own.
package struct CurrentUser: Sendable {
    package let name: String
    /// Of the verifier.
    package let account: String
    package let service: String
    /// The program that set it. Its app is the app.
    package let writer: Subject

    package var place: KeychainPlace { KeychainPlace(group: writer.app, service: service) }

    static func settingName(_ app: String) -> String { "current user of \(app)" }

    var stored: SecretBytes { Stored(user: self).stored }

    /// nil for what is not as `stored` writes it.
    init?(stored: SecretBytes, app: String) {
        guard let user = Stored.read(stored) else { return nil }
        self.init(
            name: user.name, account: user.account, service: user.service,
            writer: Subject(app: app, assurance: user.assurance, executable: user.executable))
    }

    package init(name: String, account: String, service: String, writer: Subject) {
        self.name = name
        self.account = account
        self.service = service
        self.writer = writer
    }
}

extension CurrentUser: Equatable {
    /// By bytes, as they are kept.
    package static func == (left: CurrentUser, right: CurrentUser) -> Bool {
        left.writer.app == right.writer.app && left.stored.equals(right.stored)
    }
}

private struct Stored: WireValue {
    let name: String
    /// `email` in what is kept, as it was always called there.
    let account: String
    let service: String
    let assurance: String
    let executable: String

    init(user: CurrentUser) {
        name = user.name
        account = user.account
        service = user.service
        assurance = user.writer.assurance
        executable = user.writer.executable
    }

    init(from members: inout MemberReader) throws(ProtocolProblem) {
        name = try members.string("name", bytes: 0...Int.max)
        account = try members.string("email", bytes: 0...Int.max)
        service = try members.string("service", bytes: 0...Int.max)
        assurance = try members.string("assurance", bytes: 0...Int.max)
        executable = try members.string("executable", bytes: 0...Int.max)
    }

    func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("email", account)
        writer.member("service", service)
        writer.member("assurance", assurance)
        writer.member("executable", executable)
    }
}

extension WireValue {
    /// As it is kept in the vault.
    var stored: SecretBytes {
        var writer = JSONWriter()
        writer.object(self)
        return writer.withUnsafeBytes { SecretBytes(copying: $0) }
    }

    /// Reads a value from JSON that was written by `write`; nil where it is not that.
    static func read(_ stored: SecretBytes) -> Self? {
        var scanner = JSONScanner(maximumDepth: Limits.depth)
        var result: Self?
        stored.withUnsafeBytes { bytes in
            try? scanner.scan(bytes) { value throws(JSONError) in
                var members = MemberReader(value)
                result = try? Self(from: &members)
            }
        }
        return result
    }
}
