// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// systemd/install for all users, a package, and a user's own installation on one machine.
@Suite(
    .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
    .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-shlibdeps"), "needs dpkg-dev"))
struct CoexistenceTests {
    @Test(
        "Two installations for all users refuse each other and name the command that removes the other; a user's own works beside one"
    )
    func coexistence() throws {
        let installation = try Installation()
        let package = try PackageTests.package()
        let lifecycle = try run(
            [UnderSystemdTests.box, "--root", "--chdir", "/", "--", "bash", "-c", Self.forAll + Self.beside, "script"]
                + [installation.installer, installation.directory, package])
        #expect(lifecycle.status == 0, "\(lifecycle.output)")
        for line in [
            "/etc/autofilld is the administrator's", "local: program      /usr/local/bin/autofilld",
            "sudo /usr/local/share/autofilld/install --uninstall", "the vault is locked: inactive",
            "kept: /etc/chromium/native-messaging-hosts/org.autofilld.browser.json", "no other file remains",
            "package: program      /usr/bin/autofilld", "refused with 73",
            "systemd/install: Remove it first: apt-get purge autofilld (vaults and settings stay).",
            "own: program      /home/boxuser/.local/bin/autofilld", "git: acts for another",
            "Secret Service: /usr/bin/autofill-secrets", "It works.", "Chromium's host: registered",
            "the user's own continues", "its own links: enabled enabled",
            "for all users again: program      /usr/bin/autofilld", "for all users again: active active", "ALL DONE",
        ] {
            #expect(
                lifecycle.output.split(separator: "\n").contains { $0.hasSuffix(line) },
                "no “\(line)” in:\n\(lifecycle.output)")
        }
    }

    /// `$1` is the installer, `$2` has the compiler that has built everything, `$3` is the package.
    private static let forAll = #"""
        set -eu
        export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
        uid=$(id -u boxuser)
        as_user() {
            runuser -u boxuser -- env -C / XDG_RUNTIME_DIR=/run/user/$uid HOME=/home/boxuser LANG=C.UTF-8 \
                DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$uid/bus "$@"
        }
        files() { find /usr /etc -path /etc/ld.so.cache -o -print | sort; }
        install_package() { dpkg --path-include='/usr/share/*' -i "$1"; }
        rm -f /usr/sbin/policy-rc.d # a container's: it forbids what packages start
        rm -f /var/lib/man-db/auto-update
        files >/run/scratch/before

        PATH="$2:$PATH" bash -c "$1" >/dev/null
        test ! -e /etc/autofilld && echo "/etc/autofilld is the administrator's"
        as_user systemctl --user enable --now --quiet autofilld.socket
        as_user autofillctl status | sed -n 's/^program/local: program/p'
        ! install_package "$3" >/run/scratch/refusal 2>&1
        cat /run/scratch/refusal
        test ! -e /usr/bin/autofilld
        # The administrator has replaced a file outside the prefix.
        host=/etc/chromium/native-messaging-hosts/org.autofilld.browser.json
        echo '{"path": "/opt/other"}' >$host
        $(sed -n 's/^  sudo //p' /run/scratch/refusal)
        echo "the vault is locked: $(as_user systemctl --user is-active autofilld.service)"
        ls $host | sed 's/^/kept: /' && rm $host
        rmdir --ignore-fail-on-non-empty /etc/chromium/native-messaging-hosts
        files | diff /run/scratch/before - && echo "no other file remains"
        find /home/boxuser/.config -xtype l | grep . && exit 1

        """#

    private static let beside = #"""
        install_package "$3" >/dev/null
        # Its own installation needs links of its own, though the user has one to the package's unit.
        as_user systemctl --user enable --now --quiet autofilld.socket
        as_user autofillctl status | sed -n 's/^program/package: program/p'
        PATH="$2:$PATH" bash -c "$1" >/run/scratch/refusal 2>&1 || echo "refused with $?"
        cat /run/scratch/refusal
        test ! -e /usr/local/bin/autofilld

        own=/home/boxuser/.local/bin
        PATH=$own:$PATH
        as_user env PATH="$2:$PATH" bash -c "$1" >/dev/null
        as_user systemctl --user restart autofilld.socket autofilld.service
        as_user autofillctl status | sed -n 's/^program/own: program/p'
        as_user autofillctl vault create --key-file /home/boxuser/vault.key --no-passphrase >/dev/null
        as_user bash -c 'git-credential-autofill --check; true' |
            grep -q '"registration":"/usr/share/autofilld/apps/org.git-scm.git.json",.*"delegate":true' && echo "git: acts for another"
        as_user autofillctl secret-service enable --yes >/dev/null
        as_user autofillctl secret-service status | sed 's/^org.freedesktop.secrets: \(.*\) (.*/Secret Service: \1/'
        as_user autofillctl browser install >/dev/null
        as_user autofillctl browser status | grep -c 'not registered' || echo "Chromium's host: registered"

        process=$(as_user systemctl --user show -P MainPID autofilld)
        dpkg --purge autofilld >/dev/null
        test "$process" = "$(as_user systemctl --user show -P MainPID autofilld)" && echo "the user's own continues"
        as_user git-credential-autofill --check | grep -q '"delegate":false'
        units="autofilld.socket autofill-sync.path"
        echo "its own links: $(as_user systemctl --user is-enabled $units | xargs)"

        install_package "$3" >/dev/null
        as_user env PATH="$2:$PATH" bash -c "$1 --uninstall"
        echo "for all users again: $(as_user systemctl --user is-active $units | xargs)"
        as_user /usr/bin/autofillctl status | sed -n 's/^program/for all users again: program/p'
        find /home/boxuser -xtype l | grep . && exit 1
        find /home/boxuser -name org.autofilld.browser.json | grep . && exit 1
        echo "ALL DONE"
        """#
}
