// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import SecretMemory

/// The suggested codes of counters: each stays one code however often it is filled. They are kept in the vault, so that a
/// restart changes nothing of that.
struct SuggestedCodes: WireValue {
    static let settingName = "suggested one-time codes"

    struct Entry: WireValue {
        /// As the app knows it, `otc_…`.
        let id: String
        let credential: String
        let app: String
        let assurance: String
        let executable: String
        /// The client's form; nil when each suggestion is one of its own.
        let form: String?
        /// Set when it was first filled.
        var counter: Int?
        let expires: Int

        var subject: Subject { Subject(app: app, assurance: assurance, executable: executable) }

        init(id: String, credential: ObjectID, subject: Subject, form: String?, expires: Timestamp) {
            self.id = id
            self.credential = credential.description
            app = subject.app
            assurance = subject.assurance
            executable = subject.executable
            self.form = form
            counter = nil
            self.expires = Int(expires.milliseconds)
        }

        init(from members: inout MemberReader) throws(ProtocolProblem) {
            id = try members.string("id", bytes: 0...Int.max)
            credential = try members.string("credential", bytes: 0...Int.max)
            app = try members.string("app", bytes: 0...Int.max)
            assurance = try members.string("assurance", bytes: 0...Int.max)
            executable = try members.string("executable", bytes: 0...Int.max)
            form = try members.optionalString("form", bytes: 0...Int.max)
            counter = try members.optionalInteger("counter", in: 0...Int.max)
            expires = try members.integer("expires", in: 0...Int.max)
        }

        func write(to writer: inout JSONWriter) {
            writer.member("id", id)
            writer.member("credential", credential)
            writer.member("app", app)
            writer.member("assurance", assurance)
            writer.member("executable", executable)
            writer.member("form", orNull: form)
            writer.member("counter", orNull: counter)
            writer.member("expires", expires)
        }
    }

    var entries: [Entry]

    init() { entries = [] }

    init(from members: inout MemberReader) throws(ProtocolProblem) { entries = try members.values("entries") }

    func write(to writer: inout JSONWriter) { writer.member("entries", entries) }

    /// As it is kept.
    var stored: SecretBytes {
        var writer = JSONWriter()
        writer.object(self)
        return writer.withUnsafeBytes { SecretBytes(copying: $0) }
    }

    mutating func dropExpired(at now: Timestamp) { entries.removeAll { $0.expires <= now.milliseconds } }
}
