// SPDX-License-Identifier: Apache-2.0
import PeerIdentity
import Support
import Testing

@testable import AutofillService

@Suite("The program in a prompt")
struct PromptedEvidenceTests {
    private func program(
        _ path: String, isApart: Bool = false, place: ExecutableFile.Location = .rootOwned
    ) -> PeerEvidence {
        var evidence = PeerEvidence.systemProgram
        evidence.isApart = isApart
        evidence.executable = .file(
            ExecutableFile(
                path: path, identity: ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5), owner: 0,
                location: place, interpreter: Interpreter(fileName: String(path.split(separator: "/").last ?? ""))))
        return evidence
    }

    /// The line about the program.
    private func line(
        _ peer: PeerEvidence, running script: Script? = nil, startedBy starter: PeerEvidence? = nil
    ) -> String? {
        let evidence = PromptedEvidence(
            name: nil, bundleID: "org.example.Shop", assurance: .claimed, peer: peer, script: script,
            starter: starter.map { Starter(evidence: $0, script: nil) }, delegate: nil)
        return evidence.lines.split(separator: "\n").first { $0.hasPrefix("Program: ") }.map { String($0) }
    }

    @Test("It states whole that a program has namespaces of its own, however long its path is")
    func programs() {
        #expect(
            line(program("/usr/bin/shop", isApart: true))
                == "Program: /usr/bin/shop (process 4243, in namespaces of its own)")
        #expect(line(program("/usr/bin/shop")) == "Program: /usr/bin/shop (process 4243)")
        let long = "/" + String(repeating: "a", count: 300)
        #expect(line(program(long, isApart: true))?.hasSuffix("a (process 4243, in namespaces of its own)") == true)
        #expect(
            line(program(long, place: .elsewhere))?.hasSuffix("a (process 4243, in namespaces of its own)") == true)
    }

    @Test("It states the same of an interpreter, a proxy and what started it, outside of their paths")
    func interpreters() {
        let long = "/" + String(repeating: "a", count: 300)
        let python = program("/usr/bin/python3.11", isApart: true)
        #expect(
            line(python)
                == "Program: /usr/bin/python3.11 (process 4243, in namespaces of its own), running an unknown program")
        let proxy = "/usr/bin/xdg-dbus-proxy"
        let shell = program("/usr/bin/bash", isApart: true)
        #expect(
            line(program(proxy), startedBy: shell)
                == "Program: \(proxy) (process 4243), started by /usr/bin/bash (in namespaces of its own)")
        #expect(
            line(program(proxy, isApart: true), startedBy: shell)
                == "Program: \(proxy) (process 4243, in namespaces of its own), started by /usr/bin/bash (the same)")
        let started = line(program(proxy, isApart: true), startedBy: program(long, isApart: true))
        #expect(started?.contains("(process 4243, in namespaces of its own), started by /aaa") == true)
        #expect(started?.hasSuffix("aaa (the same)") == true)
        let script = Script(path: "/home/a/backup.py", hash: "5c")
        #expect(
            line(program("/usr/bin/python3.11"), running: script, startedBy: shell)
                == "Program: /usr/bin/python3.11 (process 4243), running /home/a/backup.py")
    }
}
