// SPDX-License-Identifier: Apache-2.0

/// The parameters of scrypt.
package struct ScryptCost: Message, Hashable {
    package let n: Int
    package let r: Int
    package let p: Int

    package init(n: Int, r: Int, p: Int) { (self.n, self.r, self.p) = (n, r, p) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            n: try field("n", \.n, .integer(1...Int.max), "The cost."),
            r: try field("r", \.r, .integer(1...Int.max), "The block size."),
            p: try field("p", \.p, .integer(1...Int.max), "The parallelism."))
    }
}
