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
        #expect(ProcessHardening.apply())
        #expect(!ProcessHardening.isDumpable)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #expect(limit.rlim_cur <= 1 && limit.rlim_max <= 1)
        #expect(getenv("SWIFT_BACKTRACE").map { String(cString: $0) } == "enable=no")
    }
}
