// SPDX-License-Identifier: Apache-2.0

/// A condition on several members of one object.
package struct MemberRule: Sendable {
    package enum Count: Sendable {
        case one, oneOrMore, atMostOne
    }

    package let count: Count
    package let members: [String]
}
