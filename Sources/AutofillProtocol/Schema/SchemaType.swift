// SPDX-License-Identifier: Apache-2.0

/// What a member is, read from what its reader says it expects.
enum SchemaType: Hashable {
    /// nil: of any length.
    case string(bytes: ClosedRange<Int>?)
    case integer(ClosedRange<Int>)
    case boolean
    /// `{"base64": …}`
    case data(bytes: ClosedRange<Int>)
    case choice([String])
    case requestID
    case strings
    case objects(limit: Int?)
    case object
    case any

    init(_ expected: String) {
        let numbers = expected.matches(of: #/-?[0-9]+/#).compactMap { Int($0.0) }
        let range = numbers.count > 1 && numbers[0] <= numbers[1] ? numbers[0]...numbers[1] : nil
        switch expected {
        case "true or false": self = .boolean
        case "an object": self = .object
        case "an array of strings": self = .strings
        case "an array of objects": self = .objects(limit: nil)
        case "the id of a request": self = .requestID
        case "allow or forbid": self = .choice(["allow", "forbid"])
        case _ where expected.hasPrefix("an array of at most"): self = .objects(limit: numbers.first)
        case _ where expected.hasPrefix("one of "):
            self = .choice(expected.dropFirst("one of ".count).split(separator: ", ").map(String.init))
        case _ where expected.hasPrefix("a string of"): self = .string(bytes: range)
        case _ where expected.hasPrefix("an integer from"): self = range.map { .integer($0) } ?? .any
        case _ where expected.hasPrefix("{\"base64\""):
            // The first number is the one in the member's name.
            let sizes = numbers.dropFirst()
            let first = sizes.first ?? 0
            self = .data(bytes: (expected.contains("at most") ? 0 : first)...(sizes.dropFirst().first ?? first))
        default: self = .any
        }
    }

    /// Whether members of its own can be below it.
    var isContainer: Bool {
        switch self {
        case .object, .objects: true
        default: false
        }
    }
}
