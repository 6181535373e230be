// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// One text and the expected result.
package struct SuiteCase: Sendable, CustomStringConvertible {
    package let name: String
    package let text: [UInt8]
    package let problem: JSONError.Problem?

    package init(_ name: String, _ text: [UInt8], _ problem: JSONError.Problem? = nil) {
        self.name = name
        self.text = text
        self.problem = problem
    }

    package var description: String { name }
}

package func text(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Bytes in ASCII, with `%` and two hexadecimal digits for any other byte.
package func bytes(_ notation: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Substring(notation)
    while let first = rest.popFirst() {
        if first == "%" {
            result += [UInt8(rest.prefix(2), radix: 16) ?? 0]
            rest.removeFirst(2)
        } else {
            result += Array(first.utf8)
        }
    }
    return result
}
