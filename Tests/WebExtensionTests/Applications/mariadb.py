# SPDX-License-Identifier: Apache-2.0
"""Applications of Debian in PHP with a database server of their own, which listens on a Unix socket alone."""
import subprocess
import time

from Applications.php import InPHP

SERVER = ("php8.2-mysql", "mariadb-server-core", "mariadb-client-core")


class WithDatabase(InPHP):
    extra = ("mysqlnd", "mysqli")

    @property
    def socket(self):
        return self.folder / "m"

    def start_database(self):
        self.settings = {"mysqli.default_socket": self.socket, "session.gc_probability": 0}
        data = self.folder / "data"
        self.run([*self.install(), "mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=root", "--auth-root-authentication-method=normal",
                  "--skip-test-db"])
        self.spawn([*self.install(), "mariadbd", "--no-defaults", "--user=root", f"--datadir={data}", f"--socket={self.socket}", "--skip-networking",
                    f"--pid-file={self.folder / 'pid'}", "--innodb-flush-log-at-trx-commit=0"])
        deadline = time.monotonic() + 120
        while subprocess.run(self.client("root", ""), input="SELECT 1;", capture_output=True, text=True).returncode:
            self.alive(deadline)

    def client(self, user, password):
        return [*self.install(), "mariadb", "--no-defaults", f"--socket={self.socket}", f"--user={user}", f"--password={password}"]

    def sql(self, statements):
        return self.run(self.client("root", ""), given=statements)

    def create_database_user(self, user, password):
        self.sql(f"CREATE USER '{user}'@'localhost' IDENTIFIED BY '{password}'; GRANT ALL ON *.* TO '{user}'@'localhost';")
