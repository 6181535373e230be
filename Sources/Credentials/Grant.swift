// SPDX-License-Identifier: Apache-2.0

/// The user's remembered decision: this app, identified this way, may (or may not) receive what is saved for this service.
package struct Grant: Sendable {
    package enum Decision: String, Sendable {
        case allow, deny
    }

    package let id: ObjectID
    package var version: UInt64
    /// The app, and the evidence that must identify it. An empty `executable` matches any at this or a higher assurance:
    /// only a grant made with proof by an administrator's command is so wide.
    package let subject: Subject
    package let service: Service
    package var decision: Decision
    package let created: Timestamp
    /// How it was made: `prompt` or `command`.
    package let origin: String

    package init(
        id: ObjectID, version: UInt64 = 1, subject: Subject, service: Service, decision: Decision, created: Timestamp,
        origin: String
    ) {
        self.id = id
        self.version = version
        self.subject = subject
        self.service = service
        self.decision = decision
        self.created = created
        self.origin = origin
    }
}
