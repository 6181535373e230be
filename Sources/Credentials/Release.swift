// SPDX-License-Identifier: Apache-2.0

/// One entry of the release log: the program, what it received or was refused, and why. It never contains a secret.
package struct Release: Sendable {
    package let time: Timestamp
    package let app: String
    package let assurance: String
    package let processID: Int32
    package let executable: String
    package let unit: String?
    /// The method's name on the wire.
    package let method: String
    package let service: Service?
    /// The object that was released, if any.
    package let object: ObjectID?
    /// The grant that permitted the release, if any.
    package let grant: ObjectID?
    /// The reason's code where it was refused; nil where it was released.
    package let refused: String?
    /// What it was for, as the caller stated it.
    package let evidence: String?

    package init(
        time: Timestamp, app: String, assurance: String, processID: Int32, executable: String, unit: String?,
        method: String, service: Service?, object: ObjectID?, grant: ObjectID?, refused: String?,
        evidence: String? = nil
    ) {
        self.time = time
        self.app = app
        self.assurance = assurance
        self.processID = processID
        self.executable = executable
        self.unit = unit
        self.method = method
        self.service = service
        self.object = object
        self.grant = grant
        self.refused = refused
        self.evidence = evidence
    }
}
