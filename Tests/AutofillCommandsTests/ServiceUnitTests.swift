// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AutofillCommands

@Suite("The unit that systemd runs")
struct ServiceUnitTests {
    @Test("The unit's file and its drop-ins are reported")
    func read() throws {
        let unit = try #require(
            ServiceUnit([
                "FragmentPath=/usr/lib/systemd/user/autofilld.service",
                "DropInPaths=/home/jo/.config/systemd/user/autofilld.service.d/a.conf /etc/b.conf",
                "ExecStart={ path=/home/jo/my programs/autofilld ; argv[]=/home/jo/my programs/autofilld ; "
                    + "ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }",
            ]))
        #expect(unit.program == "/home/jo/my programs/autofilld")
        #expect(unit.file == "/usr/lib/systemd/user/autofilld.service")
        #expect(unit.dropIns == ["/home/jo/.config/systemd/user/autofilld.service.d/a.conf", "/etc/b.conf"])
    }

    @Test("A unit that the manager does not know, and a missing manager, are none")
    func none() {
        #expect(ServiceUnit(["FragmentPath=", "DropInPaths="]) == nil)
        #expect(ServiceUnit.read(ProcessEnvironment([:])) == nil)
    }
}
