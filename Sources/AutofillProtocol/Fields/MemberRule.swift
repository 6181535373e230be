// SPDX-License-Identifier: Apache-2.0

/// What several members of one object have to be together.
package struct MemberRule: Sendable {
    package enum Count: Sendable {
        case one, oneOrMore
    }

    package let count: Count
    package let members: [String]
}
