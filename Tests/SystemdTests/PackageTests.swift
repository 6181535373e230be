// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

private let areToolsThere = ["dpkg-deb", "dpkg-shlibdeps", "strip"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
}

/// systemd/package with the programs that were built beside this one.
@Suite(
    .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
    .enabled(if: areToolsThere, "needs dpkg-dev and binutils"))
struct PackageTests {
    static let script = repository.appending(path: "systemd/package").path

    private struct Built {
        let directory: String
        let status: Int32
        let output: String
    }

    /// systemd/package, run once for all tests.
    private static let built: Result<Built, any Error> = Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "autofill-package-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        atexit { _ = try? FileManager.default.removeItem(atPath: PackageTests.built.get().directory) }
        let (status, output) = try run(
            [script, "--quick", "--programs", testDirectory, "--output", directory.path],
            environment: [
                "DEBFULLNAME": "A Packager", "DEBEMAIL": "packager@debian.org", "SOURCE_DATE_EPOCH": "1700000000",
            ])
        return Built(directory: directory.path, status: status, output: output)
    }

    static func package() throws -> String {
        let built = try Self.built.get()
        try #require(built.status == 0, "\(built.output)")
        return try #require(built.output.split(separator: "\n").last.map(String.init))
    }

    @Test(
        "The package is clean for lintian; it installs, works, upgrades under a running login, and purges all but the vault",
        .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/lintian"), "needs lintian"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
    func wholeLifecycle() throws {
        let package = try Self.package()
        // Nothing but its own path: lintian found nothing.
        #expect(package.hasSuffix(".deb") && (try? Self.built.get().output) == package + "\n")
        // Nothing of the day on which it was built.
        let listing = try run(["dpkg-deb", "--contents", package], environment: ["TZ": "UTC"])
        let files = listing.output.split(separator: "\n")
        #expect(files.count > 30 && files.allSatisfy { $0.contains(" 2023-11-14 22:13 ") }, "\(listing.output)")
        let lifecycle = try run(
            [UnderSystemdTests.box, "--root", "--chdir", "/", "--", "bash", "-c", Self.lifecycle, "lifecycle", package])
        #expect(lifecycle.status == 0, "\(lifecycle.output)")
        for line in [
            "installed: active", "installed: active, the path", "verified: no findings", "explained by the journal",
            "works: the vault is unlocked", "delegate: acts for another",
            "upgraded: the connection continues, in the same process",
            "reverted for browsers: 3", "removed: no socket, no service", "purged: nothing left but the homes",
            "preset: disabled", "ALL DONE",
        ] {
            #expect(
                lifecycle.output.split(separator: "\n").contains(line[...]), "no “\(line)” in:\n\(lifecycle.output)")
        }
    }

    @Test("Programs that need Swift's shared libraries are refused, except for tests")
    func selfContained() throws {
        let installation = try Installation()
        let (status, output) = try run([
            Self.script, "--programs", testDirectory, "--output", installation.directory,
        ])
        #expect(status == 69 && output.contains("need Swift's shared libraries"), "\(output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.directory) == ["swift"])
    }

    @Test(
        "Versions are derived from the tags of git, and sort as releases do",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "needs git"))
    func versions() throws {
        let installation = try Installation()
        let tree = "\(installation.directory)/tree"
        let (status, output) = try run(["bash", "-c", Self.tags, "tags", repository.path, tree])
        try #require(status == 0, "\(output)")
        let lines = output.split(separator: "\n").map(String.init)
        try #require(lines.count == 6, "\(output)")
        #expect(lines[0] == "0.1.0-1", "without git, the programs' own")
        #expect(lines[1].firstMatch(of: /^0\.1\.0~git1\.[0-9a-f]{7,}-1$/) != nil)
        #expect(lines[2] == "0.1.0~rc1-1")
        #expect(lines[3] == "0.1.0-1")
        #expect(lines[4].firstMatch(of: /^0\.1\.0\+git1\.[0-9a-f]{7,}-1$/) != nil)
        #expect(lines[5].contains("the tag is 7.0, and ProductVersion.swift has"))
        for (older, newer) in [(1, 2), (2, 3), (3, 4)] {
            #expect(try run(["dpkg", "--compare-versions", lines[older], "lt", lines[newer]]).status == 0)
        }
    }

    /// What those need besides is another day's business: an upstream that needs one more must not fail this.
    @Test("The copyright file names every package that Package.swift does, and has the text of each licence")
    func copyright() throws {
        let text = try String(contentsOf: repository.appending(path: "systemd/debian/copyright"), encoding: .utf8)
        let manifest = try String(contentsOf: repository.appending(path: "Package.swift"), encoding: .utf8)
        let packages = manifest.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)"/).map { String($0.1) }
        #expect(!packages.isEmpty)
        let paragraphs = text.components(separatedBy: "\n\n")
        let named = paragraphs.filter { $0.hasPrefix("Files: ") }.joined(separator: " ")
            .split { $0.isWhitespace }.map(String.init)
        for package in packages { #expect(named.contains(package), "\(package)") }
        for paragraph in paragraphs where paragraph.hasPrefix("Files: ") {
            let license = try #require(paragraph.firstMatch(of: /\nLicense: (.+)/)).1
            #expect(paragraph.contains("\nCopyright: "), "\(paragraph)")
            #expect(paragraphs.contains { $0.hasPrefix("License: \(license)\n ") }, "\(license)")
        }
        #expect(text.contains("/usr/share/common-licenses/Apache-2.0"))
    }

    /// Run as root in the box, with the package's path.
    private static let lifecycle = """
        set -eu
        export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
        uid=$(id -u boxuser)
        as_user() { runuser -u boxuser -- env -C / XDG_RUNTIME_DIR=/run/user/$uid HOME=/home/boxuser LANG=C.UTF-8 "$@"; }
        files() { find /usr /etc -path /etc/ld.so.cache -o -print | sort; }
        install() { dpkg --path-include='/usr/share/*' -i "$1" >/dev/null; }
        rm -f /usr/sbin/policy-rc.d # a container's: it forbids what packages start
        rm -f /var/lib/man-db/auto-update # an index of all the machine's pages, rebuilt each time
        files >/run/scratch/before

        install "$1"
        echo "installed: $(as_user systemctl --user is-active autofilld.socket)"
        echo "installed: $(as_user systemctl --user is-active autofill-sync.path), the path"
        systemctl --global is-enabled --quiet autofilld.socket autofill-sync.path
        findings=$(as_user systemd-analyze --user verify /usr/lib/systemd/user/autofill*.{service,socket,path} 2>&1)
        echo "verified: ${findings:-no findings}"
        journalctl --list-catalog 2>/dev/null | grep -q 'AutoFill: vault-locked' && echo "explained by the journal"
        for page in 'autofillctl 1' 'autofill-credential 1' 'autofill-browser 1' 'autofill-convert 1' 'autofill-secrets 8' 'autofill-sync 8' 'docker-credential-autofill 1' 'autofilld 8' 'autofill-associations 8' 'autofilld-registration 5' 'autofilld-settings 5' 'autofilld-protocol 7' 'autofilld-admin 7'
        do man --path ${page#* } ${page% *} | grep -q '^/usr/share/man/'; done
        test "$(zgrep -c '^## Methods' /usr/share/doc/autofilld/protocol.md.gz)" = 1
        test -f /usr/share/autofilld/apps/org.pypi.keyring.json
        test -f /usr/share/autofilld/apps/org.git-scm.git.json
        test -f /usr/share/autofilld/delegates/autofill-secrets.json
        test -z "$(dpkg -L autofilld | grep dbus-1/services)"
        bash -n /usr/share/bash-completion/completions/autofillctl
        as_user autofillctl vault create --key-file /home/boxuser/vault.key --no-passphrase >/dev/null
        echo word | as_user autofillctl save a.example jo --password-fd 0 --key-file /home/boxuser/vault.key
        as_user autofillctl status | grep -q 'unlocked' && echo "works: the vault is unlocked"
        # The helper is the delegate of the shell: what git's helper stores belongs to the shell.
        as_user bash -c 'git-credential-autofill --check; true' |
            grep -q '"registration":"/usr/share/autofilld/apps/org.git-scm.git.json",.*"delegate":true' && echo "delegate: acts for another"

        # The same package, but newer; a program of the login keeps its connection meanwhile.
        dpkg-deb --raw-extract "$1" /run/scratch/newer
        sed -i 's/^Version: .*/Version: 99-1/' /run/scratch/newer/DEBIAN/control
        echo '# newer' >>/run/scratch/newer/usr/lib/systemd/user/autofilld.service
        dpkg-deb -Zgzip -z1 --build /run/scratch/newer /run/scratch/newer.deb >/dev/null
        process=$(as_user systemctl --user show -P MainPID autofilld)
        mkfifo -m 666 /run/scratch/questions
        as_user python3 -c "$(cat <<'PROGRAM'
        import json, os, socket
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(os.environ["XDG_RUNTIME_DIR"] + "/autofilld/socket")
        stream = stream.makefile("rw")
        def ask(number, method, parameters):
            stream.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + chr(10))
            stream.flush()
            return json.loads(stream.readline())["result"]
        ask(1, "hello", {"bundleID": "org.example.Shop", "protocol": {"min": 1, "max": 1}})
        open("/run/scratch/connected", "w").close()
        open("/run/scratch/questions").read()
        print("upgraded: the connection continues", end="", flush=True) if ask(2, "status", {}) else None
        PROGRAM
        )" &
        until test -e /run/scratch/connected; do kill -0 $!; done
        install /run/scratch/newer.deb
        echo now >/run/scratch/questions
        wait $!
        test "$process" = "$(as_user systemctl --user show -P MainPID autofilld)" && echo ", in the same process"
        test "$(as_user systemctl --user show -P NeedDaemonReload autofilld)" = no
        as_user autofillctl get a.example --reveal --key-file /home/boxuser/vault.key | grep -qx word
        as_user systemctl --user try-restart autofilld
        as_user autofillctl status | grep -qE '^vault +locked'

        homes() { find /home -type f ! -name '*-wal' ! -name '*-shm' | sort; } # these are deleted when the vault is closed
        homes >/run/scratch/home
        grep -q 'share/autofilld/' /run/scratch/home
        as_user autofillctl secret-service enable --yes >/dev/null
        as_user autofillctl browser install >/dev/null
        test "$(homes | wc -l)" -ge $(($(wc -l </run/scratch/home) + 4))
        dpkg --remove autofilld >/run/scratch/removal
        grep -c '^removed: .*/org.autofilld.browser.json$' /run/scratch/removal | sed 's/^/reverted for browsers: /'
        test ! -e /run/user/$uid/autofilld/socket || ! as_user systemctl --user is-active --quiet autofilld.socket
        test "$(as_user systemctl --user show -P ActiveState autofilld)" = inactive && echo "removed: no socket, no service"
        dpkg --purge autofilld >/dev/null
        mkdir -p /etc/opt # base-files creates it without owning it, and dpkg removes it with its last file, as for any package
        files | diff /run/scratch/before -
        ! journalctl --list-catalog 2>/dev/null | grep -q AutoFill
        homes | diff /run/scratch/home - && echo "purged: nothing left but the homes"

        # An administrator who wants nothing to be enabled automatically uses a preset.
        mkdir -p /etc/systemd/user-preset && echo 'disable *' >/etc/systemd/user-preset/00-site.preset
        install "$1"
        echo "preset: $(systemctl --global is-enabled autofilld.socket || true)"
        test "$(as_user systemctl --user show -P ActiveState autofilld.socket)" = inactive
        echo "ALL DONE"
        """

    /// Run with the tree and a path for a small copy of it.
    private static let tags = """
        set -eu
        export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.example
        export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.example GIT_CEILING_DIRECTORIES="$(dirname "$2")"
        mkdir -p "$2/systemd" "$2/Sources/AutofillProtocol"
        cp "$1/systemd/package" "$2/systemd/"
        echo 'package static let text = "0.1.0"' >"$2/Sources/AutofillProtocol/ProductVersion.swift"
        cd "$2"
        systemd/package --version
        git init -q && git add . && git commit -qm one
        systemd/package --version
        git tag v0.1.0-rc1
        sed -i 's/0.1.0/0.1.0-rc1/' Sources/AutofillProtocol/ProductVersion.swift
        systemd/package --version
        git checkout -q . && git commit -q --allow-empty -m two && git tag v0.1.0
        systemd/package --version
        git commit -q --allow-empty -m three
        systemd/package --version
        git tag v7.0
        systemd/package --version 2>&1 || test $? = 65
        """
}
