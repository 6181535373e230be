// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Tests/box shows a machine without autofilld, so that no test depends on what is installed here.
@Suite(.enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
struct BoxTests {
    @Test("The box shows nothing of an autofilld that the machine has, by systemd/install, by a package or by hand")
    func hides() throws {
        let machine = FileManager.default.temporaryDirectory.appending(path: "autofill-machine-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: machine) }
        let made = try run(["bash", "-c", Self.remains, "remains", machine, Self.installer])
        try #require(made.status == 0, "\(made.output)")
        let before = try run(["find", machine, "-name", "*autofill*"]).output.split(separator: "\n")
        #expect(before.count > 60)
        let (status, output) = try run(
            [
                UnderSystemdTests.box, "--root", "--chdir", "/", "--machine", machine, "--", "bash", "-c",
                Self.inspection,
            ])
        #expect(status == 0, "\(output)")
        #expect(output == "THE MACHINE'S OWN\nnothing else\n")
    }

    @Test("A user's command in the box has started for systemd too, so that only --timeout limits it")
    func timeLimit() throws {
        let (status, output) = try run(
            [UnderSystemdTests.box, "--chdir", "/", "--"]
                + ["systemctl", "list-units", "--plain", "--no-legend", "--all", "run-*.service"])
        #expect(status == 0 && output.firstMatch(of: #/^run-\S+ +loaded +active +running /#) != nil, "\(output)")
    }

    @Test("Tests/isolate shows none of the files that daemon and browsers read, except those of its caller")
    func isolates() throws {
        let machine = FileManager.default.temporaryDirectory.appending(path: "autofill-machine-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: machine) }
        let made = try run(["bash", "-c", Self.remains, "remains", machine, Self.installer])
        try #require(made.status == 0, "\(made.output)")
        let isolate = repository.appending(path: "Tests/isolate").path
        let (status, output) = try run(
            ["unshare", "--mount", "bash", "-c", Self.isolated, "isolated", machine, isolate])
        #expect(status == 0, "\(output)")
        #expect(output == "before: remains\nnothing else\nthe caller's\n")
    }

    /// `$1` has the files of a machine, `$2` is Tests/isolate.
    private static let isolated = #"""
        set -eu
        mkdir -p "$1/own/autofilld/delegates" "$1/etc/chromium/native-messaging-hosts"
        echo "the caller's" >"$1/own/autofilld/delegates/test.json"
        for top in usr etc; do mount -t overlay overlay -o "lowerdir=$1/$top:/$top" "/$top"; done
        echo "before: $(cat /etc/autofilld/settings.json)"
        "$2" find /etc/autofilld /usr/share/autofilld /usr/local/share/autofilld /etc/chromium /etc/opt /usr/lib/mozilla \
            /usr/share/chromium /usr/share/mozilla /usr/share/xdg-desktop-portal -mindepth 1 -name '*autofill*'
        echo "nothing else"
        umount /etc
        "$2" --etc "$1/own" sh -c 'cat /etc/autofilld/*/*'
        """#

    private static let installer = repository.appending(path: "systemd/install").path

    /// `$1` gets what systemd/install writes for all and for boxuser, what an older version wrote, what a package has,
    /// settings, a registration, a drop-in and a vault. `$2` is the installer.
    private static let remains = #"""
        set -eu
        put() { mkdir -p "$machine$(dirname -- "$1")" && echo remains >"$machine$1"; }
        machine=$1
        for where in "" "--prefix /usr" "--home /home/boxuser"; do
            "$2" --list $where | while IFS= read -r path; do
                case $path in */) mkdir -p "$machine$path" ;; *) put "$path" ;; esac
            done
        done
        put /usr/local/lib/systemd/user/older-autofill.service
        put /usr/local/share/autofill-older/file
        printf '%s\n' /usr/local/lib/systemd/user/older-autofill.service /usr/local/share/autofill-older/file \
            /usr/local/share/autofill-older/ >"$machine/usr/local/share/autofilld/installed-files"
        put /etc/autofilld/settings.json
        put /usr/share/autofilld/apps/org.example.Shop.json
        put /etc/systemd/user/autofilld.service.d/drop-in.conf
        put /home/boxuser/.config/autofilld/settings.json
        put /home/boxuser/.local/share/autofilld/vault.sqlite
        mkdir -p "$machine/var/lib/dpkg/info"
        { cat /var/lib/dpkg/status; printf '\nPackage: autofilld\nStatus: install ok installed\nMaintainer: a <a@b.example>\nArchitecture: all\nVersion: 0.0.1-1\nDescription: remains\n'; } \
            >"$machine/var/lib/dpkg/status"
        printf '%s\n' /. /usr /usr/lib /usr/lib/autofill-packaged >"$machine/var/lib/dpkg/info/autofilld.list"
        printf '#!/bin/sh\nexit 1\n' >"$machine/var/lib/dpkg/info/autofilld.prerm"
        chmod 755 "$machine/var/lib/dpkg/info/autofilld.prerm"
        put /usr/lib/autofill-packaged
        put /usr/local/share/doc/machine
        """#

    private static let inspection = #"""
        grep -q remains /usr/local/share/doc/machine && echo "THE MACHINE'S OWN"
        find /usr/local /usr/lib/systemd /usr/lib/autofill* /usr/share /usr/bin /etc /home/boxuser /var/lib/dpkg/info \
            /var/lib/systemd -name '*autofill*' -print 2>/dev/null
        dpkg-query --status autofilld >/dev/null 2>&1 && echo "the package"
        systemctl --user --machine=boxuser@ cat autofilld.socket 2>/dev/null
        echo "nothing else"
        """#
}
