// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// systemd/install --uninstall for all users: what it leaves after an installation that was interrupted, and what it
/// reverts in home directories.
@Suite(
    .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
    .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
struct RemovalTests {
    @Test("An installation or upgrade that was killed is removed completely, and another one completes it")
    func killed() throws {
        let installer = "'\(repository.path)/systemd/install'"
        let (status, output) = try run(
            [UnderSystemdTests.box, "--root", "--chdir", "/", "--timeout", "900", "--", "bash", "-c"]
                + [Self.interruptions, "script", installer, testDirectory])
        #expect(status == 0, "\(output)")
        #expect(output.contains("\nALL DONE\n"), "\(output)")
    }

    @Test(
        "What users have set up for removed programs is reverted, and what they have set up for other programs is not",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "needs git"))
    func reverts() throws {
        let lines = try BoxedService.run(Self.setUps).split(separator: "\n")
        for line in [
            "boxuser before: 7", "boxuser after: 0", "other before: 4", "other after: 4",
            "removed: /home/boxuser/.local/share/dbus-1/services/org.freedesktop.secrets.service",
            "removed: /home/boxuser/.config/chromium/NativeMessagingHosts/org.autofilld.browser.json",
            "removed: /home/boxuser/.config/google-chrome/NativeMessagingHosts/org.autofilld.browser.json",
            "removed: /home/boxuser/.mozilla/native-messaging-hosts/org.autofilld.browser.json",
            "/home/boxuser/.gitconfig: credential.helper = autofill was removed",
            "/home/boxuser/.docker/config.json: credsStore was removed", "ALL DONE",
        ] {
            #expect(lines.contains(line[...]), "no “\(line)” in:\n\(lines.joined(separator: "\n"))")
        }
    }

    /// `$1` is the installer, `$2` has the programs. The installer is killed instead of one of its steps: a directory, a
    /// file, a link, or the replacement of a file.
    private static let interruptions = #"""
        set -eu
        export PATH=/run/scratch/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        mkdir /run/scratch/bin
        cat >/run/scratch/bin/mkdir <<'TOOL'
        #!/bin/sh
        step=$(($(cat /run/scratch/steps) + 1))
        echo $step >/run/scratch/steps
        if [ $step = "$LAST" ]; then kill -KILL $PPID; exit; fi
        PATH=/usr/bin:/bin
        exec "${0##*/}" "$@"
        TOOL
        chmod 755 /run/scratch/bin/mkdir
        for tool in install ln mv; do ln -s mkdir /run/scratch/bin/$tool; done

        data=/usr/local/share/autofilld
        files() { find /etc /usr/local /usr/share /usr/lib/mozilla 2>/dev/null | sort; }
        # Installs until this step; 0 is none.
        install_until() {
            echo 0 >/run/scratch/steps
            LAST=$1 bash -c "$installer --programs '$programs'" >/run/scratch/output 2>&1
        }
        # Removes it with what is installed, else with the sources.
        remove() {
            if [ -x $data/install ]; then $data/install --uninstall; else bash -c "$installer --uninstall"; fi
            files | diff /run/scratch/before -
        }
        installer=$1 programs=$2
        files >/run/scratch/before
        install_until 0 || { cat /run/scratch/output; exit 1; }
        steps=$(cat /run/scratch/steps)
        test $steps -gt 100
        remove
        for last in 1 $((steps / 4)); do
            echo "killed instead of step $last of $steps"
            ! install_until $last
            test "$(cat /run/scratch/steps)" = $last
            test ! -e $data/installed-files
            if [ $last = 1 ]; then files | diff /run/scratch/before -; else remove; fi
        done

        echo "completed, then an upgrade that adds a file is killed before it is in the list"
        ! install_until $((steps / 2))
        install_until 0
        test ! -e $data/unfinished-files
        sed -i '\|/autofilld.openrpc.json$|d' $data/installed-files
        rm $data/autofilld.openrpc.json
        ! install_until 3
        test -e $data/autofilld.openrpc.json
        ! grep -q autofilld.openrpc.json $data/installed-files
        remove
        echo "ALL DONE"
        """#

    /// boxuser uses the programs that are removed. Another user has an installation of their own.
    private static let setUps = #"""
        as_other() { runuser -u other -- env -C / HOME=/home/other "$@"; }
        useradd --create-home other
        as_other autofillctl browser install >/dev/null
        find /home/other -name org.autofilld.browser.json -exec sed -i 's|/usr/local/bin|/home/other/.local/bin|' {} +
        as_other mkdir -p /home/other/.local/bin
        as_other ln -s /usr/bin/true /home/other/.local/bin/git-credential-autofill
        as_other autofillctl helper install git >/dev/null
        as_user autofillctl secret-service enable --yes >/dev/null
        as_user autofillctl browser install >/dev/null
        for tool in git docker cargo; do as_user autofillctl helper install $tool >/dev/null; done

        # The files of other programs that name autofilld's.
        count() {
            cd "/home/$1"
            grep -ls autofill .gitconfig .docker/config.json .cargo/config.toml .local/share/dbus-1/services/* \
                .config/*/NativeMessagingHosts/* .mozilla/native-messaging-hosts/* | wc -l
        }
        for user in boxuser other; do echo "$user before: $(count $user)"; done
        bash -c "$1 --uninstall"
        for user in boxuser other; do echo "$user after: $(count $user)"; done
        echo "ALL DONE"
        """#
}
