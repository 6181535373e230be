// SPDX-License-Identifier: Apache-2.0

/// One entry of the record of releases: who got, or was refused, what and why. It never holds a secret.
package struct Release: Sendable {
    package let time: Timestamp
    package let app: String
    package let assurance: String
    package let processID: Int32
    package let executable: String
    package let unit: String?
    /// The method of the wire.
    package let method: String
    package let service: Service?
    /// What was released, when it was.
    package let object: ObjectID?
    /// The grant it was released under, when there was one.
    package let grant: ObjectID?
    /// nil when it was released, else the code of the reason.
    package let refused: String?

    package init(
        time: Timestamp, app: String, assurance: String, processID: Int32, executable: String, unit: String?,
        method: String, service: Service?, object: ObjectID?, grant: ObjectID?, refused: String?
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
    }
}
