// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// systemd/install --uninstall for all users: what it leaves after an installation that was interrupted, and what it
/// reverts in home directories.
@Suite(
    .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
    .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
struct RemovalTests {
    @Test("What was killed while it installed, upgraded or removed is removed completely, and another run completes it")
    func killed() throws {
        let installer = "'\(repository.path)/systemd/install'"
        let (status, output) = try run(
            [UnderSystemdTests.box, "--root", "--chdir", "/", "--timeout", "900", "--", "bash", "-c"]
                + [Self.interruptions, "script", installer, testDirectory, "\(repository.path)/systemd/debian/preinst"])
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

    /// `$1` is the installer, `$2` has the programs, `$3` is the package's preinst. The installer is killed instead of
    /// one of its steps: a directory, a file, a link, the replacement of a file, or the removal of one.
    private static let interruptions = #"""
        set -eu
        export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        mkdir /run/scratch/bin
        cat >/run/scratch/bin/mkdir <<'TOOL'
        #!/bin/sh
        read step </run/scratch/steps
        step=$((step + 1))
        echo $step >/run/scratch/steps
        if [ $step = "$LAST" ]; then kill -KILL $PPID; exit; fi
        PATH=/usr/bin:/bin
        exec "${0##*/}" "$@"
        TOOL
        chmod 755 /run/scratch/bin/mkdir
        for tool in install ln mv rm rmdir; do ln -s mkdir /run/scratch/bin/$tool; done

        data=/usr/local/share/autofilld
        files() { find /etc /usr/local /usr/share /usr/lib/mozilla 2>/dev/null | sort; }
        # Runs the installer until this step; 0 is none.
        until_step() {
            echo 0 >/run/scratch/steps
            LAST=$1 PATH=/run/scratch/bin:$PATH bash -c "$2" >/run/scratch/output 2>&1
        }
        install_until() { until_step $1 "$installer --programs '$programs'"; }
        # Removes it with what is installed, else with the sources.
        remove() {
            if [ -x $data/install ]; then $data/install --uninstall; else bash -c "$installer --uninstall"; fi
            files | diff /run/scratch/before -
        }
        # What autofillctl generates is generated once: in a debug build it takes seconds.
        mkdir /run/scratch/programs
        ln -s "$2"/autofill* /run/scratch/programs
        rm /run/scratch/programs/autofillctl
        cat >/run/scratch/programs/autofillctl <<PROGRAM
        #!/bin/sh
        case \$1 in manual | --generate-completion-script) ;; *) exec '$2/autofillctl' "\$@" ;; esac
        [ -e "/run/scratch/\$*" ] || '$2/autofillctl' "\$@" >"/run/scratch/\$*"
        exec cat "/run/scratch/\$*"
        PROGRAM
        chmod 755 /run/scratch/programs/autofillctl
        installer=$1 programs=/run/scratch/programs
        files >/run/scratch/before
        install_until 0 || { cat /run/scratch/output; exit 1; }
        files >/run/scratch/installed
        steps=$(cat /run/scratch/steps)
        test $steps -gt 100

        # The last file's step is that of the list and of what removes.
        removals=$(grep -vc '/$' $data/installed-files)
        for last in 1 $((removals / 2)) $removals; do
            echo "a removal is killed instead of step $last, and a package is refused"
            ! until_step $last "$data/install --uninstall"
            test "$(cat /run/scratch/steps)" = $last
            if sh "$3" install 2>/dev/null; then exit 1; fi
        done
        test ! -e /usr/local/bin/autofilld
        remove
        sh "$3" install

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
        files | diff /run/scratch/installed -
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
