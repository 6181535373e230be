// SPDX-License-Identifier: Apache-2.0
import Foundation
import Systemd
import Testing

@Suite struct ProcessHardeningTests {
    @Test("A hardened process overwrites freed memory, dumps no core and cannot be read from outside")
    func hardened() throws {
        let (status, output) = try run(
            testProgram(filter: "HardenedChild"),
            environment: ["AUTOFILL_HARDENED_CHILD": "1", "GLIBC_TUNABLES": "glibc.malloc.check=0"])
        #expect(status == 0, "\(output)")
    }
}

/// What runs in a process of its own, for hardening cannot be undone. It starts itself again, once.
@Suite(.enabled(if: getenv("AUTOFILL_HARDENED_CHILD") != nil, "runs within another test"))
struct HardenedChild {
    @Test("Nothing of it can leak") func hardened() throws {
        #expect(ProcessHardening.isDumpable)
        #expect(ProcessHardening.apply())
        #expect(!ProcessHardening.isDumpable)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
        let tunables = String(cString: try #require(getenv("GLIBC_TUNABLES")))
        #expect(tunables == "glibc.malloc.check=0:glibc.malloc.perturb=165:glibc.malloc.tcache_count=0")
        #expect(getenv("SWIFT_BACKTRACE").map { String(cString: $0) } == "enable=no")
        let memory = try #require(malloc(100_000)).assumingMemoryBound(to: UInt8.self)
        defer { free(memory) }
        #expect(memory[50_000] == ~165, "glibc fills what it gives out")
    }
}
