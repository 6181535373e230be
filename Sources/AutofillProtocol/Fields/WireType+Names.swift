// SPDX-License-Identifier: Apache-2.0

extension WireType where Self == TextType {
    package static func string(_ bytes: ClosedRange<Int>) -> Self { TextType(bytes: bytes) }
    /// One of these values at present.
    package static func word(_ words: [String], _ bytes: ClosedRange<Int> = 1...64) -> Self {
        TextType(bytes: bytes, words: words)
    }
    /// The name of an object, such as `crd_…`.
    package static var id: Self { TextType(bytes: 1...64) }
    /// RFC 3339, in UTC.
    package static var instant: Self { TextType(bytes: 1...64) }
}

extension WireType where Self == ConstantType {
    package static func oneOf(_ words: [String]) -> Self { ConstantType(words: words) }
}

extension WireType where Self == PathType {
    package static var path: Self { PathType() }
}

extension WireType where Self == TextsType {
    package static func strings(_ words: [String]? = nil) -> Self { TextsType(words: words) }
    package static func strings(limit: Int, bytes: ClosedRange<Int>) -> Self { TextsType(limit: limit, bytes: bytes) }
}

extension WireType where Self == SettingValueType {
    package static var settingValue: Self { SettingValueType() }
}

extension WireType where Self == SecretType {
    package static func secret(_ bytes: ClosedRange<Int>) -> Self { SecretType(bytes: bytes) }
}

extension WireType where Self == DataType {
    package static func data(_ bytes: ClosedRange<Int>) -> Self { DataType(bytes: bytes) }
}

extension WireType where Self == IntegerType {
    package static func integer(_ range: ClosedRange<Int>) -> Self { IntegerType(range: range) }
}

extension WireType where Self == BooleanType {
    package static var boolean: Self { BooleanType() }
}

extension WireType where Self == RequestIDType {
    package static var requestID: Self { RequestIDType() }
}

extension WireType {
    package static func choice<Choice>() -> Self where Self == ChoiceType<Choice> { ChoiceType() }
    package static func object<Object>() -> Self where Self == ObjectType<Object> { ObjectType() }
    package static func objects<Object>(limit: Int? = nil) -> Self where Self == ObjectsType<Object> {
        ObjectsType(limit: limit)
    }
}
