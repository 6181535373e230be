// SPDX-License-Identifier: Apache-2.0

extension PasswordRules {
    /// How a descriptor is read.
    public enum Reading: Sendable {
        /// As Apple's parser reads it, and `digits` as `digit`, which articles print.
        case lenient
        /// Exactly as Apple's parser reads it. It has no limit on the length; this reading has a higher one.
        case apple

        var longestDescriptor: Int {
            switch self {
            case .lenient: PasswordRulesLimits.descriptorScalars
            case .apple: PasswordRulesLimits.appleDescriptorScalars
            }
        }
    }

    /// The rules of a descriptor, and what was not read as written.
    public struct Parsed: Hashable, Sendable {
        /// The rules that remain; without any, printable ASCII is allowed.
        public let rules: PasswordRules
        /// What was not read as written, in order; at most 64.
        public let diagnostics: [PasswordRulesDiagnostic]
        /// Whether Apple's parser reports an error.
        public let hasErrors: Bool
    }

    /// Reads a descriptor as the daemon does: nothing that Apple's parser would drop is an error, and `digits` is
    /// `digit`. See ``parse(_:as:)`` for what was dropped.
    ///
    /// - Throws: ``PasswordRulesRefusal/descriptorTooLong(limit:)`` over 4,096 Unicode scalars.
    public init(descriptor: String) throws(PasswordRulesRefusal) {
        self = try PasswordRules.parse(descriptor).rules
    }

    /// Reads a descriptor and returns what was not read as written. The time is linear in its length.
    ///
    /// - Throws: ``PasswordRulesRefusal/descriptorTooLong(limit:)`` over 4,096 Unicode scalars; over 65,536 in the
    ///   reading `.apple`.
    public static func parse(
        _ descriptor: String, as reading: Reading = .lenient
    ) throws(PasswordRulesRefusal) -> Parsed {
        var descriptor = descriptor
        let limit = reading.longestDescriptor
        let size = descriptor.utf8.count
        // A scalar has 4 bytes at most, so a longer text need not be counted.
        guard size <= limit || (size <= 4 * limit && descriptor.unicodeScalars.count <= limit) else {
            throw .descriptorTooLong(limit: limit)
        }
        let parsed = descriptor.withUTF8 { text in
            var parser = DescriptorParser(text, readsDigits: reading == .lenient)
            parser.parse()
            return Parsed(
                rules: PasswordRules(parser.draft), diagnostics: parser.diagnostics, hasErrors: parser.hasErrors)
        }
        // Printing may lengthen what was written without spaces; what could not be read again is not let in.
        if size > limit / 4, parsed.rules.canonicalText(limit: limit) == nil { throw .descriptorTooLong(limit: limit) }
        return parsed
    }
}
