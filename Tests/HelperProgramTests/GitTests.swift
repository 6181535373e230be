// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "git with its helper", .blocking, .timeLimit(.minutes(10)),
    .enabled("git or python3 is not installed") {
        ForeignProgram.isInstalled("git") && ForeignProgram.isInstalled("python3")
    })
struct GitTests {
    private let stage: HelperStage
    private let directory: TemporaryDirectory

    init() throws {
        stage = try HelperStage()
        directory = try TemporaryDirectory()
    }

    @discardableResult
    private func git(_ arguments: [String], in folder: String? = nil, input: String = "") throws -> ForeignProgram {
        let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"]
        return try ForeignProgram(
            "git", identity + arguments, stage.variables, input: input, in: folder ?? directory.path)
    }

    @Test("clone and push get their password from the vault; one that the server refuses is erased")
    func cloneAndPush() throws {
        try #require(git(["init", "--bare", "repository.git"]).status == 0)
        try git(["config", "http.receivepack", "true"], in: directory.path + "/repository.git")
        let server = try LocalServer("git_server.py", [directory.path, "ann:one"])
        let description = "protocol=http\nhost=127.0.0.1:\(server.port)\n"
        try git(["config", "--global", "credential.helper", "autofill"])
        func saved() throws -> String { try stage.run(.git, ["get"], input: description).output }
        try git(["credential", "approve"], input: description + "username=ann\npassword=one\n")
        #expect(try saved() == "username=ann\npassword=one\n")

        let address = "http://127.0.0.1:\(server.port)/repository.git"
        let clone = try git(["clone", address, "work"])
        #expect(clone.status == 0, "\(clone.output)")
        let work = directory.path + "/work"
        try git(["commit", "--allow-empty", "-m", "first"], in: work)
        let push = try git(["push", "origin", "HEAD:main"], in: work)
        #expect(push.status == 0, "\(push.output)")
        #expect(try git(["ls-remote", address], in: work).output.contains("refs/heads/main"))
        #expect(try saved() == "username=ann\npassword=one\n")

        // The server requires another password from now on.
        try directory.write("account", "ann:two")
        let refused = try git(["fetch"], in: work)
        #expect(refused.status != 0 && refused.output.contains("Authentication failed"), "\(refused.output)")
        #expect(try saved() == "")
        try git(["credential", "approve"], input: description + "username=ann\npassword=two\n")
        #expect(try git(["fetch"], in: work).status == 0)
        let requests = try server.end()
        #expect(
            requests.contains { $0.hasSuffix("git-receive-pack 200") } && requests.contains { $0.hasSuffix(" 401") })
    }

    @Test("With credential.useHttpPath each repository has a password of its own")
    func paths() throws {
        try git(["config", "--global", "credential.helper", "autofill"])
        try git(["config", "--global", "credential.useHttpPath", "true"])
        for name in ["one", "two"] {
            try git(
                ["credential", "approve"],
                input: "url=https://git.example:8443/\(name).git\nusername=ann\npassword=\(name)\n")
        }
        for name in ["one", "two"] {
            let filled = try git(["credential", "fill"], input: "url=https://git.example:8443/\(name).git\n")
            #expect(filled.output.hasSuffix("username=ann\npassword=\(name)\n"), "\(filled.output)")
        }
        let other = try git(["credential", "fill"], input: "url=https://git.example/one.git\n")
        #expect(other.status != 0 && !other.output.contains("password=one"), "\(other.output)")
    }

    @Test(
        "git's own test of credential helpers passes, every one of its tests",
        .enabled(
            if: ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1",
            "AUTOFILL_FULL=1 fetches git's source, about a minute"))
    func t0303() throws {
        let script = """
            set -e
            mkdir -p lists/partial archives
            cp /etc/apt/sources.list.d/debian.sources source.sources 2>/dev/null || {
                echo "SKIPPED: no /etc/apt/sources.list.d/debian.sources"; exit 0; }
            sed -i 's/^Types:.*/Types: deb-src/' source.sources
            apt="apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$PWD/lists"
            apt="$apt -o Dir::Etc::sourceparts=$PWD/sources -o APT::Sandbox::User=root -o Dir::Cache=$PWD/cache"
            mkdir -p sources cache; mv source.sources sources/
            $apt update || { echo "SKIPPED: the package lists cannot be had"; exit 0; }
            $apt source --download-only git || { echo "SKIPPED: git's source cannot be had"; exit 0; }
            mkdir git; tar --strip-components=1 -C git -xf git_*.orig.tar.*
            cd git
            make -s GIT-BUILD-OPTIONS NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1
            make -s -C templates
            mkdir -p t/helper; printf '#!/bin/sh\\nexit 1\\n' > t/helper/test-tool; chmod +x t/helper/test-tool
            cd t
            GIT_TEST_INSTALLED=/usr/bin GIT_TEST_CREDENTIAL_HELPER=autofill \\
                GIT_TEST_CREDENTIAL_HELPER_TIMEOUT='autofill --timeout=1' ./t0303-credential-external.sh -v
            """
        let run = try ForeignProgram("bash", ["-c", script], stage.variables, in: directory.path)
        if let reason = run.output.firstMatch(of: #/SKIPPED: (.*)/#) {
            return print("git's t0303: skipped, \(reason.1)")
        }
        let passed = run.output.split(separator: "\n").filter { $0.hasPrefix("ok ") }.count
        print("git's t0303: \(passed) passed")
        #expect(run.status == 0 && passed == 13 && !run.output.contains("\nnot ok"), "\(run.output.suffix(4000))")
    }
}
