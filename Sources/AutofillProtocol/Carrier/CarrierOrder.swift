// SPDX-License-Identifier: Apache-2.0

/// What `autofill-sync` is to carry, as one line in the file `carrier.json` of the spool.
package struct CarrierOrder: Message, Hashable {
    package static let format = 1
    package let format: Int
    package let location: SyncLocation
    /// The ids of the group and of this machine; nil while it waits for an invitation.
    package let group: String?
    package let device: String?
    /// What the report of a round for this order repeats: everything was brought again since it was written. 16 random bytes in
    /// hexadecimal.
    package let token: String?

    package init(location: SyncLocation, group: String?, device: String?, token: String? = nil) {
        self.init(format: Self.format, location: location, group: group, device: device, token: token)
    }

    private init(format: Int, location: SyncLocation, group: String?, device: String?, token: String?) {
        (self.format, self.location, self.group, self.device) = (format, location, group, device)
        self.token = token
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            format: try field("format", \.format, .integer(1...format), "The version of this file."),
            location: try field("location", \.location, .syncLocation, "Where the files are exchanged."),
            group: try field(optional: "group", \.group, .string(32...32), "The id of the group."),
            device: try field(optional: "device", \.device, .string(32...32), "The id of this machine."),
            token: try field(optional: "token", \.token, .string(32...32), "What the report repeats."))
    }
}
