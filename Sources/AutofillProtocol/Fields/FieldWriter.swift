// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of a message. Each visit gives back what it wrote.
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
    mutating func callAsFunction<Type: WireType>(
        nullable name: StaticString, _ get: (Root) -> Type.Value?, _ type: Type, _: StaticString
    ) -> Type.Value? {
        let value = get(root.pointee)
        writer.pointee.key(name)
        if let value { type.write(value, to: &writer.pointee) } else { writer.pointee.null() }
        return value
    }

    @inline(__always)
    mutating func callAsFunction<Part: Message>(_ get: (Root) -> Part) -> Part {
        let part = get(root.pointee)
        part.write(to: &writer.pointee)
        return part
    }

    mutating func variant<Kind: RawRepresentable<String> & CaseIterable>(
        _ name: StaticString, _ get: (Root) -> Kind, _ sentence: StaticString
    ) -> Kind { self(name, get, ChoiceType<Kind>(), sentence) }

    mutating func told<Type: WireType>(_ name: StaticString, _ type: Type, _: StaticString) where Type.Value == Void {
        writer.pointee.key(name)
        type.write((), to: &writer.pointee)
    }

    mutating func tag(_ name: StaticString, _ word: StaticString) {
        writer.pointee.key(name)
        writer.pointee.string(word)
    }

    mutating func rule(_: MemberRule.Count, of _: [StaticString], _: String) {}
}
