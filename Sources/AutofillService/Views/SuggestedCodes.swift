// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import Credentials

/// The suggested codes of counters: each stays one code however often it is filled. They are kept in the vault, so that a
/// restart changes nothing of that.
package struct SuggestedCodes: WireValue {
    static let settingName = "suggested one-time codes"

    /// A suggestion to be made.
    package struct Plan: Sendable {
        package let credential: ObjectID
        package let subject: Subject
        package let form: String?

        package init(of credential: ObjectID, for subject: Subject, form: String?) {
            (self.credential, self.subject, self.form) = (credential, subject, form)
        }
    }

    package struct Entry: WireValue {
        /// As the app knows it, `cod_…`.
        package let id: String
        package let credential: String
        package let app: String
        let assurance: String
        let executable: String
        /// The client's form; nil when each suggestion is one of its own.
        package let form: String?
        /// Set when it was first filled.
        package var counter: Int?
        package let expires: Int

        package var subject: Subject { Subject(app: app, assurance: assurance, executable: executable) }

        init(id: String, _ plan: Plan, expires: Timestamp) {
            self.id = id
            credential = plan.credential.description
            app = plan.subject.app
            assurance = plan.subject.assurance
            executable = plan.subject.executable
            form = plan.form
            counter = nil
            self.expires = Int(expires.milliseconds)
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            id = try members.string("id", bytes: 0...Int.max)
            credential = try members.string("credential", bytes: 0...Int.max)
            app = try members.string("app", bytes: 0...Int.max)
            assurance = try members.string("assurance", bytes: 0...Int.max)
            executable = try members.string("executable", bytes: 0...Int.max)
            form = try members.optionalString("form", bytes: 0...Int.max)
            counter = try members.optionalInteger("counter", in: 0...Int.max)
            expires = try members.integer("expires", in: 0...Int.max)
        }

        package func write(to writer: inout JSONWriter) {
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

    package var entries: [Entry]

    package init() { entries = [] }

    package init(from members: inout MemberReader) throws(ProtocolProblem) { entries = try members.values("entries") }

    package func write(to writer: inout JSONWriter) { writer.member("entries", entries) }

    /// Without those of a credential; nil where it has none.
    package func without(_ credential: ObjectID) -> Self? {
        var left = self
        left.entries.removeAll { $0.credential == credential.description }
        return left.entries.count < entries.count ? left : nil
    }

    mutating func dropExpired(at now: Timestamp) { entries.removeAll { $0.expires <= now.milliseconds } }
}
