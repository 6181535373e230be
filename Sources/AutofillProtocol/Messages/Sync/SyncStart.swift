// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SyncStart: ProvableCall {
    package static let declaration = MethodDeclaration(
        .syncStart, "Starts sync: founds a group of machines, of which this is the first.", .administer,
        vault: .open, proof: .needed, repeatable: false)
    package let location: SyncLocation
    package let name: String
    package let proof: Proof?

    package init(location: SyncLocation, name: String, proof: Proof?) {
        (self.location, self.name, self.proof) = (location, name, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            location: try field("location", \.location, .syncLocation, "Where the files are exchanged."),
            name: try field("name", \.name, .string(1...Limits.deviceNameBytes), "The user's name for this machine."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message {
        package let device: String
        package let recoveryKey: SecretBytes

        package init(device: String, recoveryKey: SecretBytes) {
            (self.device, self.recoveryKey) = (device, recoveryKey)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                device: try field("device", \.device, .string(32...32), "The id of this machine."),
                recoveryKey: try field(
                    "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                    "The key that can remove any machine, in groups. It is returned only once."))
        }
    }
}
