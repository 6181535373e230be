// SPDX-License-Identifier: Apache-2.0

/// Why a line, or a value in it, was refused. It never contains text of the input.
package struct JSONError: Error, Hashable, Sendable {
    package let problem: Problem
    /// The byte of the line, counted from 0, where the problem shows.
    package let offset: Int

    package init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    package enum Problem: Hashable, Sendable {
        // The text is not JSON as RFC 8259 and this protocol want it.
        case empty, endedEarly, trailingBytes, byteOrderMark, invalidUTF8
        case expectedValue, expectedName, expectedColon, expectedCommaOrEnd
        case invalidNumber, controlCharacter, invalidEscape, loneSurrogate, duplicateMember
        case tooDeep(limit: Int)
        case tooLong

        // The text is JSON, but a value is not what was asked for.
        case wrongType(expected: JSONKind, found: JSONKind)
        case notAnInteger
        case outOfRange(ClosedRange<Int64>)
        case tooManyBytes(limit: Int)
        case containsNUL
        case notAllowed
        case invalidBase64
    }
}
