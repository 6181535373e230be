// SPDX-License-Identifier: Apache-2.0
import Foundation
import Systemd
import Testing

@Suite struct ProcessHardeningTests {
    @Test("A hardened process prints nothing at a crash, dumps no core and cannot be read from outside")
    func hardened() throws {
        let (status, output) = try run(
            testProgram(filter: "HardenedChild"),
            environment: ["AUTOFILL_HARDENED_CHILD": "1"])
        #expect(status == 0, "\(output)")
    }
}

/// What runs in a process of its own, for hardening cannot be undone. It starts itself again, once.
@Suite(.enabled(if: getenv("AUTOFILL_HARDENED_CHILD") != nil, "runs within another test"))
struct HardenedChild {
    @Test("Nothing of it can leak") func hardened() throws {
        #expect(ProcessHardening.isDumpable)
        var before = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &before)
        #expect(ProcessHardening.apply())
        #expect(!ProcessHardening.isDumpable)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        // With 0 the kernel still starts a handler such as systemd-coredump.
        let expected: rlim_t = before.rlim_max == 0 ? 0 : 1
        #expect(limit.rlim_cur == expected && limit.rlim_max == expected)
        #expect(getenv("SWIFT_BACKTRACE").map { String(cString: $0) } == "enable=no")
    }
}
