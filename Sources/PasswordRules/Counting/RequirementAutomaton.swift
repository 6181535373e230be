// SPDX-License-Identifier: Apache-2.0

/// Follows all required rules at once: the product of the groups of sets that overlap one another.
struct RequirementAutomaton: Sendable {
    /// The least number of characters that the required rules need.
    let minimumLength: Int
    /// Characters that meet the same required rules have one signature. 0: none.
    let signatureCount: Int
    let stateCount: Int
    let accepting: Int
    /// How many more characters a state needs, at the least.
    let needs: [Int32]
    /// The next state, by state and signature. State 0 is the start.
    let transitions: [Int32]
    private let signatures: [UInt8]

    init(_ rules: PasswordRules, reading: PasswordRules.CountReading) throws(PasswordRulesRefusal) {
        let required = RequiredSets(rules)
        minimumLength = reading == .strict ? required.total : min(1, required.total)
        guard minimumLength <= PasswordRulesLimits.length else { throw .tooComplex(.length(minimumLength)) }
        let followed = required.removing(rules.allowed.characters)

        var groups: [RequirementGroup] = []
        var signatures = [UInt8](repeating: 0, count: 128)
        var signatureCount = 1
        var stateCount = 1
        for sets in followed.overlappingGroups {
            let group = try RequirementGroup(
                sets: sets, multiplicities: followed.multiplicities(of: sets), reading: reading)
            for character in UInt8(0x20)...0x7E {
                let mask = sets.indices.reduce(UInt8(0)) { $0 | (sets[$1].contains(character) ? 1 << UInt8($1) : 0) }
                if let index = group.signatures.firstIndex(of: mask) {
                    signatures[Int(character)] = UInt8(signatureCount + index)
                }
            }
            signatureCount += group.signatures.count
            stateCount *= group.stateCount
            guard stateCount <= PasswordRulesLimits.states else { throw .tooComplex(.states) }
            groups.append(group)
        }
        self.signatures = signatures
        self.signatureCount = signatureCount
        self.stateCount = stateCount
        (transitions, needs, accepting) = RequirementAutomaton.product(groups, stateCount, signatureCount)
    }

    @inline(__always)
    func signature(_ character: UInt8) -> Int { Int(signatures[Int(character & 0x7F)]) }

    @inline(__always)
    func next(_ state: Int, _ signature: Int) -> Int { Int(transitions[state &* signatureCount &+ signature]) }

    /// Whether a password meets the required rules.
    @inline(__always)
    func accepts(_ password: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        transitions.withUnsafeBufferPointer { transitions in
            signatures.withUnsafeBufferPointer { signatures in
                var state = 0
                for index in 0..<length {
                    state = Int(transitions[state &* signatureCount &+ Int(signatures[Int(password[index])])])
                }
                return state == accepting
            }
        }
    }

    /// For each signature, the states that one of its characters leads to.
    var reachedStates: [[Int]] {
        (0..<signatureCount).map { signature in
            var isReached = [Bool](repeating: false, count: stateCount)
            for state in 0..<stateCount { isReached[next(state, signature)] = true }
            return isReached.indices.filter { isReached[$0] }
        }
    }

    private static func product(
        _ groups: [RequirementGroup], _ stateCount: Int, _ signatureCount: Int
    ) -> (transitions: [Int32], needs: [Int32], accepting: Int) {
        var transitions = [Int32](repeating: 0, count: stateCount * signatureCount)
        var needs = [Int32](repeating: 0, count: stateCount)
        var accepting = 0
        for state in 0..<stateCount { transitions[state * signatureCount] = Int32(state) }
        var stride = 1
        var signature = 1
        for group in groups {
            for state in 0..<stateCount {
                let component = state / stride % group.stateCount
                needs[state] += group.needs[component]
                for index in group.signatures.indices {
                    let next = Int(group.transitions[component * group.signatures.count + index])
                    transitions[state * signatureCount + signature + index] = Int32(state + (next - component) * stride)
                }
            }
            accepting += group.accepting * stride
            stride *= group.stateCount
            signature += group.signatures.count
        }
        return (transitions, needs, accepting)
    }
}
