// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Lithuanian, Latvian and Estonian.
    static let baltic = LanguageWords([
        .password: "*parole*, *parool*, parooli*, salasõna, *slaptažod*",
        .oneTimeCode: """
        apstiprinājuma kods, kinnituskood, patvirtinimo kodas, vienkartin*, vienreizēj*, ühekordne*
        """,
        .email: "e pasta adrese, e pasts, e post*, e posti*, el paštas, el pašto*",
        .phone: "mobilus, *telefon*, tālrunis, tālruņa*",
        .search: "ieškoti, meklēt, otsi, otsing, paieška",
        .username: """
        *kasutaja*, *kasutajanimi*, kasutajatunnus, *lietotāj*, lietotājvārds, *naudotoj*, naudotojo vardas, \
        *vartotoj*
        """,
        .alias: "asmens kodas, isikukood, personas kods",
        .account: "klientas, konto, konts, paskyra",
        .personName: "eesnimi, pavardė, perekonnanimi, uzvārds, =vardas, vardas pavardė, =vārds, vārds uzvārds",
        .bareName: "=nimi, =vardas, =vārds",
        .birthday: "dzimšanas*, gimimo*, sünni*",
        .organization: "ettevõte, uzņēmums, įmonė",
        .address: "gatvė, iela, linn, miestas, pasta indekss, pašto kodas, pilsēta, postiindeks, tänav",
        .bareAddress: "aadress, adresas, adrese",
        .securityAnswer: "atbilde, atsakymas, drošības jautājums, slaptas klausimas, turvaküsimus, vastus",
        .matter: "atlaižu kods, komentaras, nuolaidos kodas, sooduskood, sõnum, ziņojums, žinutė",
        .new: "jauna, naujas, uus",
        .current: "dabartinis, pašreizējā, praegune, senas, vana, vecā",
        .confirmation: """
        apstiprin*, atkārtot*, dar kartą, kinnita, korda, pakartokite, pakartoti, patvirtinkite, uuesti, \
        vēlreiz
        """,
        .strength: "bent, ne mažiau, vismaz, vähemalt",
        .signUp: "izveidot kontu, loo konto, registracij*, registreeru*, registruotis, reģistrē*, sukurti paskyrą",
        .signIn: "ienākt, logi sisse, pieslēg*, prisijung*, sisene",
        .remember: "atcerēties, jäta meelde, prisiminti, įsiminti",
        .terms: "noteikum*, nõustun, piekrītu, sutinku, taisykl*, tingimus*",
        .passwordChange: """
        jauna parole, keisti slaptažodį, mainīt paroli, muuda parooli, naujas slaptažodis, uus parool
        """,
        .lost: "aizmirs*, pamirš*, unustasi*",
        .aside: "jau turite",
    ])
}
