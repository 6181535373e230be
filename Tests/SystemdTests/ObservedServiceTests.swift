// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Testing

/// What an administrator sees of the installed service, and does with it, by systemd's own tools.
@Suite(
    .enabled(if: areProgramsBuilt, "autofilld and autofillctl are not built beside the tests"),
    .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct ObservedServiceTests {
    @Test(
        "Refusals are in the journal with all fields, with a text that -x explains; the status shows the state of the service"
    )
    func observed() throws {
        let output = try BoxedService.run(
            """
            as_user systemd-run --user --scope --quiet --unit=app-org.example.NotSetUp-1 \\
                autofillctl suggest --app org.example.NotSetUp --domain shop.example.com >/dev/null && exit 1
            client 'ask("hello", {"bundleID": "org.example.NotSetUp", "protocol": {"min": 1, "max": 1}})
            assert "error" in ask("credential.get", {"service": SHOP})'
            journalctl --sync
            echo "= fields"
            as_user journalctl --user -o json AUTOFILL_REASON=app-not-registered
            echo "= explained"
            as_user journalctl --user -u autofilld -x --no-pager
            echo "= messages"
            as_user journalctl --user -u autofilld -o cat SYSLOG_IDENTIFIER=autofilld
            until as_user systemctl --user show -P StatusText autofilld | grep -q '1 credential'; do :; done
            echo "= status"
            as_user systemctl --user status --no-pager autofilld
            echo "= end"
            """)
        func section(_ name: String) -> [Substring] {
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
            guard let start = lines.firstIndex(of: "= \(name)") else { return [] }
            return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("= ") })
        }
        let entries = try section("fields").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        try #require(entries.count == 2, "\(output)")
        for (entry, method) in zip(entries, ["autofill.suggest", "credential.get"]) {
            let fields = entry.compactMapValues { $0 as? String }
            #expect(fields["PRIORITY"] == "5" && fields["SYSLOG_IDENTIFIER"] == "autofilld")
            #expect(fields["MESSAGE_ID"]?.count == 32)
            #expect(fields["AUTOFILL_BUNDLE_ID"] == "org.example.NotSetUp" && fields["AUTOFILL_METHOD"] == method)
            #expect(fields["AUTOFILL_DOMAIN"] == "shop.example.com")
            #expect(fields["AUTOFILL_FIX"]?.isEmpty == false && fields["AUTOFILL_ASSURANCE"]?.isEmpty == false)
            #expect(fields["AUTOFILL_PEER_PID"].flatMap { Int($0) } != nil)
            #expect(fields["AUTOFILL_PEER_EXE"]?.hasPrefix("/usr/") == true)
            #expect(fields["_SYSTEMD_USER_UNIT"] == "autofilld.service")
        }
        #expect(entries[0]["AUTOFILL_PEER_EXE"] as? String == "/usr/local/bin/autofillctl")
        #expect(entries[0]["AUTOFILL_PEER_UNIT"] as? String == "app-org.example.NotSetUp-1.scope")
        let explained = section("explained").joined(separator: "\n")
        for text in [
            "░░ Subject: AutoFill: app-not-registered", "░░ Support: man:autofilld(8)",
            "░░ App:     org.example.NotSetUp", "░░ Domain:  shop.example.com",
            "autofillctl explain org.example.NotSetUp",
        ] {
            #expect(explained.contains(text), "\(text)")
        }
        // Once for each entry that has it.
        let fix = try #require(entries[0]["AUTOFILL_FIX"] as? String)
        #expect(explained.components(separatedBy: fix).count == entries.count + 1, "\(explained)")
        for message in section("messages") where !message.isEmpty {
            #expect(message.hasPrefix("[AutoFill] "), "\(message)")
        }
        let status = section("status").joined(separator: "\n")
        for text in [
            "active (running)", "Docs: man:autofilld(8)", "TriggeredBy: ● autofilld.socket",
            "Status: \"Vault unlocked, 1 credential, ",
        ] {
            #expect(status.contains(text), "\(status)")
        }
    }

    @Test("The program that reads an imported file has a scope of its own, whose memory is not written to swap")
    func swap() throws {
        let output = try BoxedService.run(
            """
            as_user mkdir /home/boxuser/bin
            as_user cp /usr/local/bin/autofillctl /home/boxuser/bin/
            echo '#!/bin/sh
            unit=$(sed -n "s,^0::.*/,,p" /proc/self/cgroup)
            echo "$unit has $(XDG_RUNTIME_DIR=/run/user/$(id -u) systemctl --user show -P MemorySwapMax "$unit")" >&2
            exit 65' | as_user tee /home/boxuser/bin/autofill-convert >/dev/null
            as_user chmod +x /home/boxuser/bin/autofill-convert
            echo 'name,url,username,password' | as_user tee /home/boxuser/in.csv >/dev/null
            as_user /home/boxuser/bin/autofillctl import /home/boxuser/in.csv --key-file /home/boxuser/vault.key 2>&1 || echo "status $?"
            """)
        #expect(output.contains(/in\.csv: autofill-convert-[0-9]+\.scope has 0\n/), "\(output)")
        #expect(output.contains("status 65"), "\(output)")
    }

    @Test("A key that systemd passes opens the vault at the start; a loop that hangs while threads live on is killed")
    func credentialAndWatchdog() throws {
        let output = try BoxedService.run(
            """
            drop_ins=/home/boxuser/.config/systemd/user/autofilld.service.d
            as_user mkdir -p $drop_ins
            as_user systemctl --user restart autofilld
            as_user autofillctl status | grep -E '^vault +locked'
            echo "[Service]
            LoadCredential=autofilld.vault-key:/home/boxuser/vault.key
            WatchdogSec=10" >$drop_ins/test.conf
            as_user systemctl --user daemon-reload
            as_user systemctl --user restart autofilld
            as_user autofillctl status | grep -E '^(vault +unlocked|drop-in)'
            test -z "$(as_user systemctl --user show -P Environment autofilld | grep -i key)"

            # The event loop's thread, the first one, is stopped (ptrace) and nothing else.
            hung=$(as_user systemctl --user show -P MainPID autofilld)
            python3 -c 'import ctypes, os, sys, time
            process = sys.argv[1]
            libc = ctypes.CDLL(None, use_errno=True)
            SEIZE, INTERRUPT = 0x4206, 0x4207
            for request in (SEIZE, INTERRUPT):
                assert libc.ptrace(request, int(process), None, None) == 0, ctypes.get_errno()
            while os.path.exists(f"/proc/{process}/exe"):
                time.sleep(0.05)' $hung
            while test "$(as_user systemctl --user show -P MainPID autofilld)" = $hung; do :; done
            as_user autofillctl status | grep -E '^vault +unlocked'
            journalctl --sync
            as_user journalctl --user -u autofilld -o cat | grep -F 'Watchdog timeout'
            echo "returned"
            """)
        for text in ["vault        locked", "vault        unlocked", "drop-in", "Watchdog timeout", "returned"] {
            #expect(output.contains(text), "no “\(text)” in:\n\(output)")
        }
    }

    @Test(
        "With the journal's own limits and another service flooding it, the record of releases is complete all the same"
    )
    func flood() throws {
        let installation = try Installation()
        let count = 100
        let output = try BoxedService.run(
            """
            as_user systemd-run --user --quiet --unit=flood yes 'the journal is full of this'
            for round in $(seq \(count / 20)); do
                client 'ask("hello", {"bundleID": "org.autofilld.autofillctl", "protocol": {"min": 1, "max": 1}})
            for _ in range(20):
                assert ask("credential.get", {"service": SHOP, "proof": KEY})["result"]["password"] == "word"'
            done
            as_user systemctl --user stop flood
            as_user systemctl --user stop autofilld
            cp /home/boxuser/.local/share/autofilld/vault.* /home/boxuser/vault.key "$3"
            """, box: ["--default-limits", "--bind", installation.directory], arguments: [installation.directory])
        let key = try Data(contentsOf: URL(fileURLWithPath: "\(installation.directory)/vault.key"))
        let vault = try Vault(at: .directory(installation.directory), program: "test")
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let attempt = try vault.slots.attempt(.key(SecretBytes(copying: key, count: key.count)), at: now)
        _ = try vault.unlock(with: attempt.derive(), at: now)
        let releases = try vault.readers.releases.page(before: nil, limit: 500).elements
            .filter { $0.release.method == "credential.get" && $0.release.refused == nil }
        #expect(releases.count == count, "\(output)")
        #expect(releases.allSatisfy { $0.release.object != nil && $0.release.app == "org.autofilld.autofillctl" })
        vault.close()
    }

    @Test(
        "Uninstalled, nothing is left of what root installed, all of which --list named, and the homes are as they were"
    )
    func uninstalled() throws {
        let installation = try Installation()
        let (status, output) = try run([
            UnderSystemdTests.box, "--root", "--chdir", "/", "--", "bash", "-c",
            """
            set -eu
            export PATH="$2:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
            # Without what other tests make on the machine meanwhile, which shows through.
            other=(-path /var/lib/systemd -o -name 'autofill*-test*')
            files() { find /usr /etc /var/lib /home \\( "${other[@]}" \\) -prune -o -print | sort; }
            files >/run/scratch/before
            bash -c "$1" >/dev/null
            test -x /usr/local/bin/autofilld -a -e /usr/local/lib/systemd/user/autofilld.socket
            bash -c "$1 --list" | sort >/run/scratch/list
            grep -v '/$' /usr/local/share/autofilld/installed-files | sort | comm -23 - /run/scratch/list >/run/scratch/unlisted
            cat /run/scratch/unlisted && test ! -s /run/scratch/unlisted # Tests/box hides what is listed
            journalctl --list-catalog | grep -q AutoFill
            bash -c "$1 --uninstall"
            files | diff /run/scratch/before -
            ! journalctl --list-catalog | grep -q AutoFill
            """, "script", installation.installer, installation.directory,
        ])
        #expect(status == 0, "\(output)")
    }
}
