#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# chromium.sh FOLDER: in a stage, Chromium keeps its key by Secret Service, and a second Chromium at another path finds it there
# without being allowed it. A line each: the items of Chromium, by identifier and what they hold.
set -euo pipefail
folder=$1
mkdir -p "$folder/site"
echo '<script>document.cookie = "a=1; max-age=99999"</script>here' >"$folder/site/index.html"
cp -al /usr/lib/chromium "$folder/chromium" 2>/dev/null || cp -a /usr/lib/chromium "$folder/chromium"
python3 -c '
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()
' "$folder/site" >"$folder/port" 2>/dev/null &
server=$!
trap 'kill $server' EXIT
while [ ! -s "$folder/port" ]; do sleep 0.01; done

visit() { # PROGRAM PROFILE: exits when the page is there
    timeout 60 "$1" --headless=new --no-sandbox --disable-gpu --no-first-run "--user-data-dir=$folder/$2" \
        --password-store=gnome-libsecret --dump-dom "http://127.0.0.1:$(<"$folder/port")/" 2>"$folder/errors" | grep -c here ||
        { echo "no page"; tail -n 5 "$folder/errors"; }
}
control=/etc/autofilld/bin/autofillctl proof=(--key-file "$AUTOFILL_STAGE/key")
keys() {
    $control keychain search org.freedesktop.secrets application=chromium --json "${proof[@]}" |
        python3 -c 'import json, sys; print(*(item["item"] for item in json.load(sys.stdin)["items"]))' |
        while read -r -a items; do
            for item in "${items[@]}"; do echo "key $item $($control keychain get "$item" "${proof[@]}" | sha256sum)"; done
        done
}
echo "first: $(visit /usr/lib/chromium/chromium one)"; keys
echo "second: $(visit "$folder/chromium/chromium" two)"; keys
echo "second: $(visit "$folder/chromium/chromium" two)"; keys
echo "first: $(visit /usr/lib/chromium/chromium one)"; keys
