// SPDX-License-Identifier: Apache-2.0

/// The fields that many messages have.
extension FieldVisitor {
    /// A member that is left out where it has its usual value.
    @inline(__always)
    mutating func callAsFunction<Type: WireType>(
        _ name: StaticString, _ get: (Root) -> Type.Value, _ type: Type, absent usual: @autoclosure () -> Type.Value,
        _ sentence: StaticString
    ) throws(ProtocolProblem) -> Type.Value where Type.Value: Equatable {
        try self(
            optional: name,
            { root in
                let value = get(root)
                return value == usual() ? nil : value
            }, type, sentence) ?? usual()
    }

    @inline(__always)
    mutating func interaction(_ get: (Root) -> Interaction) throws(ProtocolProblem) -> Interaction {
        try self(
            "interaction", get, ChoiceType(said: "allow or forbid"), absent: .allow, "Whether the person may be asked.")
    }

    @inline(__always)
    mutating func proof(
        _ get: (Root) -> Proof?, _ sentence: StaticString = "What shows that the person is there."
    ) throws(ProtocolProblem) -> Proof? {
        try self(optional: "proof", get, .object(), sentence)
    }

    @inline(__always)
    mutating func service(_ get: (Root) -> ServiceIdentifier) throws(ProtocolProblem) -> ServiceIdentifier {
        try self("service", get, .object(), "The site.")
    }

    @inline(__always)
    mutating func ifVersion(_ get: (Root) -> String?) throws(ProtocolProblem) -> String? {
        try self(
            optional: "ifVersion", get, .string(1...64), "Refuse with `version-mismatch` unless this is the version.")
    }

    /// Of an object that is kept. What it is made of is nobody's business.
    @inline(__always)
    mutating func version(_ get: (Root) -> String) throws(ProtocolProblem) -> String {
        try self("version", get, .string(1...64), "Another one after each change; opaque.")
    }

    @inline(__always)
    mutating func changed(_ get: (Root) -> Bool) throws(ProtocolProblem) -> Bool {
        try self("changed", get, .boolean, "Whether anything was changed; false when the same had been done before.")
    }

    mutating func form(_ get: (Root) -> String?) throws(ProtocolProblem) -> String? {
        try self(
            optional: "form", get, .string(1...64),
            "The client's name for this form, a random UUID; the same form gets the same offer.")
    }

    mutating func declaredForm(_ get: (Root) -> String?) throws(ProtocolProblem) -> String? {
        try self(optional: "declaredForm", get, .string(1...64), "The form of this name in the app's registration.")
    }

    /// Left out where there are none and a declared form stands for them.
    mutating func fields(
        _ get: (Root) -> [FieldDescription], orDeclared declared: (Root) -> String?
    ) throws(ProtocolProblem) -> [FieldDescription] {
        try self(
            optional: "fields",
            { root in
                let fields = get(root)
                return declared(root) != nil && fields.isEmpty ? nil : fields
            }, .objects(limit: Limits.formFields),
            "The form's fields; of a declared form those that differ from its own now.") ?? []
    }

    mutating func next(_ get: (Root) -> String?) throws(ProtocolProblem) -> String? {
        try self(nullable: "next", get, .string(1...256), "The cursor of the page after, or null.")
    }
}
