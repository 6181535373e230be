// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Hungarian.
    static let hungarian = LanguageWords([
        .password: "*jelszav*, *jelszó*",
        .pin: "pin kód",
        .oneTimeCode: "biztonsági kód, egyszer használatos*, *ellenőrző kód*, megerősítő kód",
        .email: "e mail cím, levelezési cím",
        .phone: "mobilszám",
        .search: "keres*",
        .captcha: "képen látható, írja be a karaktereket",
        .username: "azonosító, *felhasználó*, felhasználónév",
        .alias: "becenév, tagsági szám, ügyfélazonosító, ügyfélszám",
        .account: "fiók, ügyfél",
        .code: "aktiváló kód",
        .payment: "adószám, bankkártya, kártyabirtokos, kártyaszám, lejárat, számlaszám",
        .personName: "az ön neve, családnév, keresztnév, teljes név, utónév, vezetéknév",
        .bareName: "=név",
        .birthday: "=hónap, =nap, *születés*, =év",
        .organization: "cég, cégnév, foglalkozás, munkahely, vállalat",
        .address: "házszám, irányítószám, megye, ország, település, utca, város",
        .bareAddress: "cím",
        .securityAnswer: "biztonsági kérdés, titkos kérdés, válasz",
        .matter: "kedvezménykód, kuponkód, megjegyzés, mennyiség, neme, tárgy, összeg, üzenet",
        .new: "adjon meg új, hozzon létre, válasszon, új",
        .current: "*jelenlegi*, régi",
        .confirmation: "*ismét*, *megerősít*, még egyszer, újra",
        .strength: "legalább, minimum karakter",
        .signUp: "csatlakozás, fiók létrehozása, *regisztr*, új fiók",
        .signIn: "bejelentkez*, *bejelentkezés*, belép*",
        .remember: "emlékezz*, jegyezzen meg, maradjak bejelentkezve, megjegyez",
        .terms: "adatvédel*, elfogadom, feltétel*",
        .passwordChange: """
        jelszó megváltoztatása, jelszó módosítása, jelszó visszaállítása, jelszócsere, új jelszó
        """,
        .lost: "elfelejtett*, elfelejtette",
        .aside: "már van fiókja, nem a",
    ])
}
