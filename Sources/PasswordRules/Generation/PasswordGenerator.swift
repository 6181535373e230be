// SPDX-License-Identifier: Apache-2.0

/// Draws passwords that meet rules, each valid one equally likely, and knows exactly how many there are.
///
/// Making one chooses the format and the length and counts; drawing is cheap. It holds no secret.
package struct PasswordGenerator: Sendable {
    package enum Style: String, CaseIterable, Sendable {
        /// Apple's `xxxxxx-xxxxxx-xxxxxx` where the rules admit it, else random characters.
        case readable
        case random
    }

    package enum Format: String, CaseIterable, Sendable {
        /// `xxxxxx-xxxxxx-xxxxxx`.
        case readable
        /// The same without the dashes.
        case readableWithoutDashes
        case random
    }

    /// The caller's requirements beyond the rules.
    package struct Options: Hashable, Sendable {
        package var style: Style
        /// The bits a password should hold.
        package var targetBits: Double
        /// The field's own limits, in characters; they tighten the rules'.
        package var fieldMinLength: Int?
        package var fieldMaxLength: Int?
        /// An exact length; else the generator chooses.
        package var length: Int?

        package init(
            style: Style = .readable, targetBits: Double = PasswordRulesLimits.targetBits,
            fieldMinLength: Int? = nil, fieldMaxLength: Int? = nil, length: Int? = nil
        ) {
            self.style = style
            self.targetBits = targetBits
            self.fieldMinLength = fieldMinLength
            self.fieldMaxLength = fieldMaxLength
            self.length = length
        }
    }

    enum Sampler: Sendable {
        case readable(ReadableFormat)
        case rejection(RejectionSampler)
        case table(TableSampler)
    }

    package let format: Format
    /// The length of every password, in characters; they are ASCII, so in bytes too.
    package let length: Int
    /// How many passwords it can draw.
    package let count: PasswordCount
    /// What the caller should know about the choice.
    package let notes: [Note]
    private let sampler: Sampler

    /// Whether it uses no more than some kilobytes of memory.
    package var isSmall: Bool {
        switch sampler {
        case .readable: true
        case .rejection(let sampler): sampler.transitionCount <= PasswordRulesLimits.smallTransitions
        case .table: false
        }
    }

    /// The entropy of a draw, in bits.
    package var bits: Double { count.bits ?? 0 }

    private init(_ readable: ReadableFormat) {
        format = readable.hasDashes ? .readable : .readableWithoutDashes
        (length, count, sampler) = (readable.length, readable.count, .readable(readable))
        notes = []
    }

    /// Where Apple's format is allowed, which costs next to nothing to make; nil where that needs counting.
    package init?(readableFor rules: PasswordRules, options: Options) {
        guard options.style == .readable, let lengths = try? LengthBounds(rules, options),
            case .success(let readable) = ReadableFormat.admitted(by: rules, lengths: lengths.range),
            (readable.count.bits ?? 0) >= options.targetBits
        else { return nil }
        self.init(readable)
    }

    /// - Throws: ``PasswordRulesRefusal`` where no password meets the rules, or a limit is passed.
    package init(rules: PasswordRules, options: Options = Options()) throws(PasswordRulesRefusal) {
        if let readable = PasswordGenerator(readableFor: rules, options: options) {
            self = readable
            return
        }
        let lengths = try LengthBounds(rules, options)
        var notes: [Note] = []
        if options.style == .readable {
            switch ReadableFormat.admitted(by: rules, lengths: lengths.range) {
            case .success: notes.append(.notReadable(.target))
            case .failure(let obstacle): notes.append(.notReadable(obstacle))
            }
        }
        let choice = try LengthChoice(rules, lengths, targetBits: options.targetBits)
        format = .random
        (length, count, sampler) = (choice.length, choice.count, try choice.sampler(rules))
        let bits = choice.count.bits ?? 0
        if bits < options.targetBits { notes.append(.targetNotReached(bits: bits, target: options.targetBits)) }
        if length < PasswordRulesLimits.floorLength {
            notes.append(.belowFloorLength(length))
        } else if length < PasswordRulesLimits.soleFactorLength {
            notes.append(.belowSoleFactorLength(length))
        }
        self.notes = notes
    }

    /// Writes a password, ``length`` bytes of ASCII, to the beginning of memory that the caller owns. No copy of it
    /// is left elsewhere.
    ///
    /// - Precondition: the memory holds ``length`` bytes.
    package func draw(
        into memory: UnsafeMutableRawBufferPointer, using generator: inout some RandomNumberGenerator
    ) {
        precondition(memory.count >= length, "the memory is shorter than the password")
        guard let bytes = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        switch sampler {
        case .readable(let sampler): sampler.draw(into: bytes, using: &generator)
        case .rejection(let sampler): sampler.draw(into: bytes, using: &generator)
        case .table(let sampler): sampler.draw(into: bytes, using: &generator)
        }
    }

    /// A password as a string, which cannot be erased: for clients and tests, never for the daemon.
    package func draw(using generator: inout some RandomNumberGenerator) -> String {
        String(unsafeUninitializedCapacity: length) { bytes in
            draw(into: UnsafeMutableRawBufferPointer(bytes), using: &generator)
            return length
        }
    }
}
