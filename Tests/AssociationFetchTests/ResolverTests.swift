// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AssociationFetch

@Suite("Name look-ups")
struct ResolverTests {
    @Test("Where no thread can be started, a question has its answer at once: no address")
    func noThread() {
        // More than any process can have.
        let resolver = Resolver(waking: nil, stackBytes: 1 << 50)
        for number in 1...3 {
            resolver.ask(for: "localhost", as: FetchID(number: number))
            #expect(resolver.answer(to: FetchID(number: number)) == [])
        }
    }
}
