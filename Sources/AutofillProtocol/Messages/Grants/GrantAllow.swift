// SPDX-License-Identifier: Apache-2.0

package struct GrantAllow: ProvableCall {
    package static let declaration = MethodDeclaration(
        .grantAllow, "Records the user's consent that an app gets what is saved for a service.", .administer,
        vault: .open, proof: .needed, prompt: true, repeatable: true)

    /// The app or program of the grant.
    package enum Grantee: Hashable, Sendable {
        case app(bundleID: String)
        /// The program or script at a path, as it asks through Secret Service.
        case program(path: String)
    }

    package let grantee: Grantee
    package let target: GrantTarget
    package let proof: Proof?

    package init(_ grantee: Grantee, _ target: GrantTarget, proof: Proof?) {
        (self.grantee, self.target, self.proof) = (grantee, target, proof)
    }

    package init(bundleID: String, service: ServiceIdentifier, proof: Proof?) {
        self.init(.app(bundleID: bundleID), .service(service), proof: proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let bundleID = try field(optional: "bundleID", \.bundleID, .string(1...255), "The app.")
        let program = try field(
            optional: "executable", \.program, .path,
            "Instead of the app: a program or script that uses Secret Service, for what is saved there.")
        let call = Self(
            program.map(Grantee.program) ?? .app(bundleID: bundleID ?? ""),
            try field(\.target), proof: try field.proof(\.proof))
        try GrantTarget.rule(&field)
        try field.rule(.one, of: ["bundleID", "executable"], "the app, or a program as executable")
        return call
    }

    private var bundleID: String? { if case .app(let bundleID) = grantee { bundleID } else { nil } }
    private var program: String? { if case .program(let path) = grantee { path } else { nil } }

    package struct Answer: Message, Hashable {
        package let grants: [GrantReport]
        package let changed: Bool

        package init(grants: [GrantReport], changed: Bool) { (self.grants, self.changed) = (grants, changed) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                grants: try field(
                    "grants", \.grants, .objects(), "One for each executable that the registration names."),
                changed: try field.changed(\.changed))
        }
    }
}
