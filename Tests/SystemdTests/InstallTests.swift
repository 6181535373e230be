// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

let areProgramsBuilt = [
    "autofilld", "autofill-associations", "autofillctl", "autofill-credential", "autofill-browser", "autofill-secrets",
    "autofill-convert", "autofill-sync",
].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "\(testDirectory)/\($0)")
}

/// systemd/install with the programs that were built beside this one; only the compiler is left out.
@Suite(.enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"))
struct InstallTests {
    @Test("Staging copies the files below the destination, with paths that fit the prefix, and does nothing else")
    func stages() throws {
        let installation = try Installation()
        let stage = "\(installation.directory)/stage"
        let (status, output) = try installation.install([
            "--stage-only", "--destdir", stage, "--prefix", "/opt/R&D",
        ])
        try #require(status == 0, "\(output)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(stage)/opt/R&D")
        for file in [
            "bin/autofilld", "bin/autofill-associations", "bin/autofillctl", "bin/autofill-credential",
            "bin/autofill-browser", "bin/autofill-secrets", "bin/autofill-convert", "share/man/man1/autofill-convert.1",
            "lib/systemd/user/autofill-secrets.service", "bin/autofill-sync", "share/man/man8/autofill-sync.8",
            "lib/systemd/user/autofill-sync.service", "lib/systemd/user/autofill-sync.path",
            "share/man/man8/autofill-secrets.8", "share/autofilld/webextension/manifest.json",
            "share/autofilld/webextension/content/main.js",
            "bin/git-credential-autofill", "bin/docker-credential-autofill", "bin/cargo-credential-autofill",
            "share/man/man1/autofill-credential.1", "share/man/man1/git-credential-autofill.1",
            "lib/systemd/user/autofilld.service",
            "lib/systemd/user/autofilld.socket", "lib/systemd/user/autofill-associations.service",
            "lib/systemd/user/autofill-associations.socket",
            "lib/systemd/catalog/autofilld.catalog",
            "share/bash-completion/completions/autofillctl", "share/zsh/site-functions/_autofillctl",
            "share/fish/vendor_completions.d/autofillctl.fish", "share/autofilld/registration.schema.json",
            "share/man/man1/autofillctl.1", "share/man/man5/autofilld-registration.5",
            "share/man/man5/autofilld-settings.5", "share/man/man7/autofilld-protocol.7",
            "share/man/man7/autofilld-admin.7", "share/man/man8/autofilld.8",
            "share/man/man8/autofill-associations.8",
            "share/doc/autofilld/protocol.md", "share/doc/autofilld/Administration.md",
            "share/doc/autofilld/Apps.md", "share/doc/autofilld/Browsers.md",
            "share/doc/autofilld/Further-methods.md", "share/doc/autofilld/Helpers.md",
            "share/doc/autofilld/Keychain.md", "share/doc/autofilld/Sync.md", "share/doc/autofilld/Threat-model.md",
            "share/doc/autofilld/Records.md", "share/doc/autofilld/Server.md", "share/doc/autofilld/Python.md",
        ] {
            #expect(files.contains(file), "\(file) is missing")
        }
        #expect(!files.contains { $0.contains("preset") }, "presets are the distribution's")
        // Tests/box hides what the list names, so a file that is missing in the list would be found there.
        let list = try installation.install(["--list", "--prefix", "/opt/R&D"]).output.split(separator: "\n")
        var isDirectory: ObjCBool = false
        for file in files
        where FileManager.default.fileExists(atPath: "\(stage)/opt/R&D/\(file)", isDirectory: &isDirectory) {
            #expect(isDirectory.boolValue || list.contains { $0 == "/opt/R&D/\(file)" }, "--list without \(file)")
        }
        let unit = try String(
            contentsOfFile: "\(stage)/opt/R&D/lib/systemd/user/autofilld.service", encoding: .utf8)
        #expect(unit.contains("\nExecStart=/opt/R&D/bin/autofilld\n"))
        let page = try String(
            contentsOfFile: "\(stage)/opt/R&D/share/man/man7/autofilld-protocol.7", encoding: .utf8)
        #expect(page.contains("\n.I /opt/R&D/share/doc/autofilld/protocol.md\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: stage) == ["opt"])
    }

    @Test("Installed documents link to each other alone, show no image, and name the paths of this installation")
    func documents() throws {
        let installation = try Installation()
        let stage = "\(installation.directory)/stage"
        let (status, output) = try installation.install([
            "--stage-only", "--destdir", stage, "--prefix", "/opt/autofill",
        ])
        try #require(status == 0, "\(output)")
        let folder = "\(stage)/opt/autofill/share/doc/autofilld"
        let documents = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        #expect(documents.count > 12)
        for document in documents {
            let text = try String(contentsOfFile: "\(folder)/\(document)", encoding: .utf8)
            for link in text.matches(of: #/\]\(([^)#: ]+)(?:#[^) ]*)?\)/#) {
                #expect(documents.contains(String(link.1)), "\(document): \(link.0)")
            }
            #expect(!text.contains("<img ") && !text.contains("/usr/share/doc/"), "\(document)")
        }
        let page = try String(contentsOfFile: "\(folder)/protocol.md", encoding: .utf8)
        #expect(page.contains("`/opt/autofill/share/autofilld/registration.schema.json`"))
    }

    @Test("What is installed for all users is readable by all and writable by root alone, whatever root's umask")
    func umask() throws {
        let installation = try Installation()
        let stage = "\(installation.directory)/stage"
        let (status, output) = try installation.install(
            ["--stage-only", "--destdir", stage, "--prefix", "/usr/local"],
            through: ["sh", "-c", #"umask 077; exec "$@""#, "sh"])
        try #require(status == 0, "\(output)")
        let others = try run(["find", stage, "!", "-type", "l", "!", "-perm", "755", "!", "-perm", "644"])
        #expect(others.status == 0 && others.output.isEmpty, "\(others.output)")
    }

    @Test("A package has the files by which browsers find the host, and links by which Debian's load the extension")
    func browsers() throws {
        let installation = try Installation()
        let stage = "\(installation.directory)/package"
        let (status, output) = try installation.install(["--stage-only", "--destdir", stage, "--prefix", "/usr"])
        try #require(status == 0, "\(output)")
        for folder in ["etc/chromium", "etc/opt/chrome", "usr/lib/mozilla"] {
            let file = "\(stage)/\(folder)/native-messaging-hosts/org.autofilld.browser.json"
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"/usr/bin/autofill-browser\""))
        }
        for link in [
            "chromium/extensions/autofilld",
            "mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/passwords@autofilld.org",
        ] {
            let path = "\(stage)/usr/share/\(link)"
            // Relative, as links within one folder of a package are.
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path).hasPrefix("../"))
            #expect(FileManager.default.fileExists(atPath: path + "/manifest.json"), "\(link)")
        }
    }

    @Test("Below /usr/local the same files are installed, and outside it only those that browsers and the portal read")
    func local() throws {
        let installation = try Installation()
        let list = try installation.install(["--list"]).output.split(separator: "\n")
        #expect(list.contains("/usr/local/share/autofilld/delegates/autofill-secrets.json"))
        #expect(list.contains("/usr/local/share/autofilld/apps/org.git-scm.git.json"))
        #expect(
            list.filter { !$0.hasPrefix("/usr/local/") && $0.firstRange(of: "/native-messaging-hosts/") == nil } == [
                "/usr/share/xdg-desktop-portal/portals/autofilld.portal", "/usr/share/chromium/extensions/autofilld",
                "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/passwords@autofilld.org",
                "/etc/systemd/user/sockets.target.wants/autofilld.socket",
                "/etc/systemd/user/default.target.wants/autofill-sync.path",
            ])
    }

    @Test("A package has the files that permit the Secret Service and the portal, and no file that acquires their name")
    func secretService() throws {
        let installation = try Installation()
        let stage = "\(installation.directory)/package"
        let (status, output) = try installation.install(["--stage-only", "--destdir", stage, "--prefix", "/usr"])
        try #require(status == 0, "\(output)")
        for file in [
            "autofilld/apps/autofilld.secrets.json", "autofilld/apps/org.freedesktop.portal.Desktop.1.json",
            "autofilld/delegates/autofill-secrets.json", "autofilld/secret-families/evolution.json",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(stage)/usr/share/\(file)"), "\(file)")
        }
        let portal = try String(
            contentsOfFile: "\(stage)/usr/share/xdg-desktop-portal/portals/autofilld.portal", encoding: .utf8)
        #expect(portal.contains("\nDBusName=org.freedesktop.secrets\n"), "the name's owner is called")
        #expect(!FileManager.default.fileExists(atPath: "\(stage)/usr/share/dbus-1"))
    }

    @Test(
        "Wrong options are refused with exit status 64, and change nothing",
        arguments: [["--stage-only"], ["--destdir", "/x"], ["--prefix", "x"], ["--prefix"], ["--bogus"], ["here"]])
    func wrongOptions(options: [String]) throws {
        let (status, output) = try Installation().install(options)
        #expect(status == 64)
        #expect(output.hasPrefix("systemd/install: "))
    }

    @Test(
        "Under sudo it is built as the user who called it, with the compiler of their login",
        .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
    func underSudo() throws {
        let installation = try Installation()
        // As sudo leaves it: no compiler in root's PATH.
        let script = """
            set -eu
            echo 'PATH="\(installation.directory):$PATH"; echo "$(id -un)" >/run/scratch/login' >/home/boxuser/.profile
            export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            ! \(installation.installer) 2>&1 | grep 'swift is not in PATH'
            SUDO_USER=boxuser \(installation.installer)
            echo "BUILT BY $(cat /run/scratch/login)"
            """
        let (status, output) = try run([UnderSystemdTests.box, "--root", "--chdir", "/", "--", "bash", "-c", script])
        #expect(status == 0, "\(output)")
        #expect(output.contains("swift is not in PATH") && output.contains("BUILT BY boxuser"), "\(output)")
    }

    @Test(
        "A user installs, gets an answer over the socket, installs again without a change, and uninstalls all but the vault",
        .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
    func wholeLifecycle() throws {
        let installation = try Installation()
        let script = """
            set -eu
            cd ~ && find . | sort >/run/scratch/before
            \(installation.installer)
            echo "FIRST RUN DONE"
            \(installation.installer) --list --home ~ | sort >/run/scratch/list
            grep -v '/$' ~/.local/lib/autofilld/installed-files | sort | comm -23 - /run/scratch/list | sed 's/^/not in --list: /'
            systemctl --user is-active autofilld.socket
            systemctl --user is-enabled autofill-sync.path | sed 's/^/path: /'
            systemctl --user is-active autofill-sync.path | sed 's/^/path: /'
            PATH=~/.local/bin:$PATH systemd-analyze --user verify ~/.config/systemd/user/autofill*.{service,socket,path}
            systemctl --user start autofill-associations.service
            systemctl --user is-active autofill-associations.service | sed 's/^/associations: /'
            ~/.local/bin/autofillctl status
            mkdir -p ~/.local/share/autofilld && echo precious >~/.local/share/autofilld/kept
            \(installation.installer)
            \(installation.installer) --uninstall
            find . -path ./.local/share/autofilld -prune -o -print | sort >/run/scratch/after
            cat ~/.local/share/autofilld/kept
            grep -vxF -e ./.local -e ./.local/share /run/scratch/after | diff /run/scratch/before -
            ! systemctl --user cat autofilld.socket 2>/dev/null
            ! systemctl --user is-active --quiet autofill-sync.path
            echo "ALL DONE"
            """
        let (status, output) = try run(
            [UnderSystemdTests.box, "--chdir", "/", "--env", "PATH=\(installation.directory):/usr/bin:/bin", "--"]
                + ["bash", "-c", script])
        #expect(status == 0, "\(output)")
        for line in [
            "FIRST RUN DONE", "active", "path: enabled", "path: active", "associations: active",
            "Everything is up to date.", "precious",
            "autofilld runs, and has no vault yet.", "ALL DONE",
        ] {
            #expect(output.split(separator: "\n").contains(line[...]), "no “\(line)” in:\n\(output)")
        }
        #expect(!output.contains("not in --list: "), "\(output)")
    }
}

/// A directory with a `swift` that has everything built already.
final class Installation {
    let directory: String
    var installer: String { "'\(repository.path)/systemd/install'" }

    init() throws {
        let installation = FileManager.default.temporaryDirectory.appending(
            path: "autofill-install-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: installation, withIntermediateDirectories: false)
        directory = installation.path
        try #require(chmod(directory, 0o755) == 0)
        let compiler = "#!/bin/sh\ncase \"$*\" in *--show-bin-path*) echo '\(testDirectory)' ;; esac\n"
        // Written by a program of its own: what another test starts meanwhile would hold a file of ours open for
        // writing, and the kernel runs no such file.
        let script = "printf %s \"$0\" >'\(directory)/swift' && chmod 755 '\(directory)/swift'"
        try #require(SystemdTests.run(["sh", "-c", script, compiler]).status == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// - Parameter command: a command line that runs another.
    func install(_ options: [String], through command: [String] = []) throws -> (status: Int32, output: String) {
        try run(
            command + [repository.appending(path: "systemd/install").path] + options,
            environment: ["PATH": "\(directory):/usr/bin:/bin", "HOME": directory])
    }
}
