#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# outside.sh secretstorage|keyring|libsecret|git FOLDER: fetches a test suite of others into FOLDER, builds what must be built, and
# runs it in a stage of Tests/SecretSuitesTests. Prints what the suite prints; "SKIPPED: why" where it cannot be had.
# AUTOFILL_SUITE_SERVICE=gnome-keyring runs it against that one, to compare.
set -euo pipefail
own=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
suite=$1 folder=$2
service=${AUTOFILL_SUITE_SERVICE:-autofill}
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$folder"
cd "$folder"
skip() { echo "SKIPPED: $*"; exit 0; }
stage() { /usr/bin/python3 -B "$own/stage.py" --programs "${AUTOFILL_PROGRAMS:-$own/../../.build/debug}" "$@"; }

# A package's source as its authors have it, in a folder of its name. Lists of packages are fetched into this folder alone.
debian_source() {
    [ ! -d "$1" ] || return 0
    [ -e /etc/apt/sources.list.d/debian.sources ] || skip "no /etc/apt/sources.list.d/debian.sources"
    mkdir -p lists/partial cache sources
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >sources/source.sources
    local apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$PWD/sources" -o "Dir::State::Lists=$PWD/lists"
        -o APT::Sandbox::User=root -o "Dir::Cache=$PWD/cache")
    "${apt[@]}" update || skip "the package lists cannot be had"
    "${apt[@]}" source --download-only "$1" || skip "the source of $1 cannot be had"
    mkdir "$1"
    tar --strip-components=1 -C "$1" -xf "$1"_*.orig.tar.*
}
# Debian's packages are seen too: GObject's bindings are found nowhere else.
virtual_environment() {
    [ ! -x venv/bin/python ] || return 0
    /usr/bin/python3 -m venv --system-site-packages venv && venv/bin/pip install -q "$@" || skip "$* cannot be had from PyPI"
}
pypi_source() { # NAME VERSION
    [ ! -d "$1-$2" ] || return 0
    /usr/bin/python3 -m venv venv.pip && venv.pip/bin/pip download -q --no-deps --no-binary :all: "$1==$2" || skip "$1 $2 cannot be had from PyPI"
    tar xf "$1-$2.tar.gz"
}

case $suite in
    secretstorage)
        virtual_environment SecretStorage==3.5.0 keyring==25.7.0 pytest
        pypi_source secretstorage 3.5.0
        cd secretstorage-3.5.0
        stage --service bus ../venv/bin/python tests/run_tests.py "$own/mock_service.py" 2>&1
        ;;
    keyring)
        virtual_environment SecretStorage==3.5.0 keyring==25.7.0 pytest
        pypi_source keyring 25.7.0
        cd keyring-25.7.0
        stage --service "$service" ../venv/bin/python -m pytest -p no:cacheprovider -c /dev/null --rootdir . -q -rA \
            tests/backends/test_SecretService.py tests/backends/test_libsecret.py 2>&1
        ;;
    libsecret)
        debian_source libsecret
        if [ ! -x libsecret/build/libsecret/test-session ]; then
            meson setup -Dmanpage=false -Dvapi=false -Dgtk_doc=false -Dintrospection=false libsecret/build libsecret >meson.log 2>&1 &&
                ninja -C libsecret/build >>meson.log 2>&1 || skip "libsecret was not built: $(tail -n 3 meson.log)"
        fi
        stage --service none /usr/bin/python3 -B "$own/libsecret_suite.py" "$PWD/libsecret" "$PWD/libsecret/build" 2>&1
        ;;
    git)
        debian_source git
        cp -r git/contrib/credential/libsecret helper
        make -s -C helper || skip "git-credential-libsecret was not built: apt-get install libsecret-1-dev"
        cd git
        make -s GIT-BUILD-OPTIONS NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1
        make -s -C templates
        mkdir -p t/helper
        printf '#!/bin/sh\nexit 1\n' >t/helper/test-tool
        chmod +x t/helper/test-tool
        cd t
        PATH=$folder/helper:$PATH GIT_TEST_INSTALLED=/usr/bin GIT_TEST_CREDENTIAL_HELPER=libsecret \
            stage --service "$service" ./t0303-credential-external.sh 2>&1
        ;;
esac
