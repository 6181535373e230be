// SPDX-License-Identifier: Apache-2.0

/// Fields of many messages.
extension FieldVisitor {
    /// A member that is absent if it has its default value.
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
            "interaction", get, ChoiceType(text: "allow or forbid"), absent: .allow, "Whether the user may be prompted."
        )
    }

    @inline(__always)
    mutating func proof(
        _ get: (Root) -> Proof?, _ sentence: StaticString = "Proof that the user is present."
    ) throws(ProtocolProblem) -> Proof? {
        try self(optional: "proof", get, .proof, sentence)
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

    /// The version of a stored object; opaque.
    @inline(__always)
    mutating func version(_ get: (Root) -> String) throws(ProtocolProblem) -> String {
        try self("version", get, .string(1...64), "The version, another one after each change; opaque.")
    }

    @inline(__always)
    mutating func changed(_ get: (Root) -> Bool) throws(ProtocolProblem) -> Bool {
        try self("changed", get, .boolean, "Whether anything was changed; false if the same was done before.")
    }

    mutating func uncheckedBackups(_ get: (Root) -> [String]) throws(ProtocolProblem) -> [String] {
        try self(
            "uncheckedBackups", get, .strings(), absent: [],
            "The paths of the recorded backups that could not be read, or not in time; it may open them.")
    }

    mutating func form(_ get: (Root) -> FormDescription) throws(ProtocolProblem) -> FormDescription {
        try self("form", get, .object(), "The form.")
    }

    mutating func next(_ get: (Root) -> String?) throws(ProtocolProblem) -> String? {
        try self(optional: "next", get, .string(1...256), "The cursor of the next page, if there is one.")
    }
}
