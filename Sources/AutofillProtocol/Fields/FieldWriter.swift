// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of a message. Each visit returns what it wrote.
struct FieldWriter<Root>: FieldVisitor {
    var isReading: Bool { false }
    // Both are valid during `Message.write` only.
    let root: UnsafePointer<Root>
    let writer: UnsafeMutablePointer<JSONWriter>

    @inline(__always)
    mutating func callAsFunction<Type: WireType>(
        _ name: StaticString, _ get: (Root) -> Type.Value, _ type: Type, _: StaticString
    ) -> Type.Value {
        let value = get(root.pointee)
        writer.pointee.key(name)
        type.write(value, to: &writer.pointee)
        return value
    }

    @inline(__always)
    mutating func callAsFunction<Type: WireType>(
        optional name: StaticString, _ get: (Root) -> Type.Value?, _ type: Type, _: StaticString
    ) -> Type.Value? {
        guard let value = get(root.pointee) else { return nil }
        writer.pointee.key(name)
        type.write(value, to: &writer.pointee)
        return value
    }

    @inline(__always)
    mutating func callAsFunction<Other: Message>(_ get: (Root) -> Other) -> Other {
        let other = get(root.pointee)
        other.write(to: &writer.pointee)
        return other
    }

    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _ get: (Root) -> Kind, _ sentence: StaticString
    ) -> Kind { self(name, get, ChoiceType<Kind>(), sentence) }

    mutating func writeOnly<Type: WireType>(_ name: StaticString, _ type: Type, _: StaticString)
    where Type.Value == Void {
        writer.pointee.key(name)
        type.write((), to: &writer.pointee)
    }

    mutating func tag(_ name: StaticString, _ constant: StaticString) {
        writer.pointee.key(name)
        writer.pointee.string(constant)
    }

    mutating func rule(_: MemberRule.Count, of _: [StaticString], found _: @autoclosure () -> Int?, _: String) {}
}
