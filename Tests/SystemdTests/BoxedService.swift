// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A script run as root in Tests/box, where autofilld is installed for all users by systemd/install and boxuser has a
/// vault that the key file in its home opens.
enum BoxedService {
    /// - Returns: the output; the script has ended with 0.
    static func run(_ script: String, box options: [String] = [], arguments: [String] = []) throws -> String {
        let installation = try Installation()
        let (status, output) = try SystemdTests.run(
            [UnderSystemdTests.box, "--root", "--chdir", "/"] + options
                + ["--", "bash", "-c", begin + script, "script", installation.installer, installation.directory]
                + arguments)
        #expect(status == 0, "\(output)")
        return output
    }

    /// `$1` is the installer, `$2` has the compiler that has built everything. What `as_user` runs is a program of the
    /// login; `client` is one in Python, with `ask(method, parameters)` and the proof in `KEY`.
    private static let begin = #"""
        set -eu
        export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        uid=$(id -u boxuser)
        as_user() {
            runuser -u boxuser -- env -C / XDG_RUNTIME_DIR=/run/user/$uid HOME=/home/boxuser LANG=C.UTF-8 "$@"
        }
        client() {
            as_user python3 -c '
        import base64, json, os, socket, sys
        KEY = {"type": "key", "key": {"base64": base64.b64encode(open(os.environ["HOME"] + "/vault.key", "rb").read()).decode()}}
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(os.environ["XDG_RUNTIME_DIR"] + "/autofilld/socket")
        stream = connection.makefile("rw")
        number = 0
        def ask(method, parameters):
            global number
            number += 1
            stream.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + chr(10))
            stream.flush()
            return json.loads(stream.readline())
        SHOP = {"type": "domain", "value": "shop.example.com"}
        '"$1"
        }
        PATH="$2:$PATH" bash -c "$1" >/dev/null
        as_user systemctl --user daemon-reload
        as_user systemctl --user start autofilld.socket
        as_user autofillctl vault create --key-file /home/boxuser/vault.key --no-passphrase >/dev/null
        echo word | as_user autofillctl save shop.example.com jo --password-fd 0 --key-file /home/boxuser/vault.key

        """#
}
