// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Croatian, Serbian and Slovene.
    static let croatian = LanguageWords([
        .password: "gesla, *geslo*, *lozink*, *lozinka*, *zapork*, zaporka, šifra, лозинка, шифра",
        .oneTimeCode: """
        enkratn*, jednokratn*, kod za potvrdu, kontrolni kod, potrditvena koda, potvrdni kod, sigurnosni kod, \
        verifikacijski kod, verifikacioni kod
        """,
        .email: "e naslov, e pošta, e pošte, e poštni naslov, elektronska pošta",
        .phone: "broj telefona, gsm broj, mobilni, mobitel",
        .search: "iskanje, išči, pretraga, pretraži, traži",
        .username: "broj korisnika, *korisnik*, korisničko ime, *uporabnik*, uporabniško ime, корисничко име",
        .alias: "broj klijenta, broj člana, nadimak, oib, vzdevek",
        .account: "korisnik, nalog, račun, član",
        .payment: "broj kartice, broj računa, datum isteka, jmbg, oib, vlasnik kartice, številka kartice",
        .personName: "ime i prezime, ime in priimek, prezime, priimek, puno ime",
        .bareName: "=ime, =име",
        .birthday: "=dan, =godina, =leto, =mesec, =mjesec, *rojstva*, *rođenja*",
        .organization: "firma, podjetje, poduzeće, preduzeće, tvrtka, zanimanje",
        .address: "država, grad, kraj, mjesto, pošta, poštanski broj, poštna številka, ulica",
        .bareAddress: "adresa, naslov",
        .securityAnswer: "odgovor, sigurnosno pitanje, tajno pitanje",
        .matter: """
        iznos, kod za popust, količina, komentar, kupon, pol, poruka, predmet, promotivni kod, spol, sporočilo
        """,
        .new: "izberite, kreiraj, novi, novo, odaberi, odaberite",
        .current: "sadašnja, stara, staro, trenutna, trenutno",
        .confirmation: "još jednom, ponovi*, ponovno, ponovo, potvrda, potvrdi*",
        .strength: "barem, najmanje, vsaj",
        .signUp: "kreiraj račun, napravi nalog, novi račun, otvori račun, registriraj*, učlani se",
        .signIn: "prijava, prijavi se, prijavite se, пријава",
        .remember: "ostani prijavljen, zapamti*, zapomni si",
        .terms: "pogoji*, prihvatam, prihvaćam, slažem, strinjam, uvjet*",
        .passwordChange: """
        nova lozinka, novo geslo, promena lozinke, promijeni lozinku, promjena lozinke, sprememba gesla
        """,
        .lost: "pozabljen*, zaboravili*, zaboravlj*",
        .aside: "nije vaša, već imate",
    ])
}
