// SPDX-License-Identifier: Apache-2.0

/// The parameters of scrypt.
package struct ScryptCost: WireValue, Hashable {
    package let n: Int
    package let r: Int
    package let p: Int

    package init(n: Int, r: Int, p: Int) {
        self.n = n
        self.r = r
        self.p = p
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        n = try members.integer("n", in: 1...Int.max)
        r = try members.integer("r", in: 1...Int.max)
        p = try members.integer("p", in: 1...Int.max)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("n", n)
        writer.member("r", r)
        writer.member("p", p)
    }
}
