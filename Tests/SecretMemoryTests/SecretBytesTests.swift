// SPDX-License-Identifier: Apache-2.0
import SecretMemory
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test(
        "The content is read as it was written, at every size from nothing to several pages",
        arguments: [
            0, 1, 31, 32, 33, 4095, 4096, 4097, 70_000,
        ])
    func sizes(count: Int) {
        let secret = SecretBytes(count: count) { memory in
            for index in memory.indices { memory[index] = UInt8(truncatingIfNeeded: index &* 7) }
        }
        #expect(secret.count == count)
        secret.withUnsafeBytes { bytes in
            #expect(bytes.count == count)
            #expect(bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 &* 7) })
        }
    }

    @Test("No description, no mirror and no string interpolation shows them")
    func withheld() {
        let secret = SecretBytes(utf8: "hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("hunter2"))
    }

    @Test("Two are equal by their bytes")
    func equality() {
        #expect(SecretBytes(utf8: "abc").equals(SecretBytes(utf8: "abc")))
        #expect(!SecretBytes(utf8: "abc").equals(SecretBytes(utf8: "abd")))
        #expect(!SecretBytes(utf8: "abc").equals(SecretBytes(utf8: "ab")))
    }

    @Test("Memory is zero when it is given out, whatever it held before")
    func erased() {
        for _ in 0..<100 {
            let used = SecretBytes(count: 48) { memory in
                #expect(memory.allSatisfy { $0 == 0 })
                for index in memory.indices { memory[index] = 0xAA }
            }
            #expect(used.count == 48)
        }
    }

    @Test("Temporary memory is overwritten when its use ends, also by an error, and is given out again")
    func temporary() {
        struct Stop: Error {}
        let turns = 200
        var blocks: Set<UnsafeMutableRawPointer?> = []
        for turn in 0..<turns {
            let isFailing = turn % 2 == 1
            var wasZero = false
            do throws(Stop) {
                try SecretBytes.withTemporary(count: 48) { memory throws(Stop) in
                    blocks.insert(memory.baseAddress)
                    wasZero = memory.allSatisfy { $0 == 0 }
                    for index in memory.indices { memory[index] = 0xAA }
                    if isFailing { throw Stop() }
                }
                #expect(!isFailing)
            } catch { #expect(isFailing) }
            #expect(wasZero)
        }
        #expect(blocks.count < turns)
    }

    @Test("An initializer that throws leaves nothing behind")
    func throwing() {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            _ = try SecretBytes(count: 64) { memory throws(Stop) in
                memory[0] = 1
                throw Stop()
            }
        }
    }
}
