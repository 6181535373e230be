// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    static let signUps: [WrittenForm] = [
        WrittenForm(
            "An app with Apple's content types",
            "<field id=user contentType=username> <field id=new contentType=newPassword secure>",
            .signUp, "username newPassword", offered: true, because: "new: new password, because its contentType"),
        WrittenForm(
            "An app whose user name is an e-mail address",
            """
            <field id=user contentType=username keyboard=emailAddress> <field id=new contentType=newPassword secure>
            <field id=again contentType=newPassword secure>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "another precedes it"),
        WrittenForm(
            "An app that declares the address the content type emailAddress: Apple offers nothing",
            "<field id=mail contentType=emailAddress> <field id=new contentType=newPassword secure>",
            .signUp, "emailAddress newPassword", because: "its contentType is emailAddress"),
        WrittenForm(
            "An app without content types",
            "<field id=emailField keyboard=emailAddress> <field id=passwordField secure> <field id=confirmPasswordField secure>",
            .signUp, "username newPassword confirmation", offered: true, because: "its id contains “confirm”"),
        WrittenForm(
            "An app that types the new password and leaves its confirmation untyped",
            "<field id=user contentType=username> <field id=one contentType=newPassword secure> <field id=two secure>",
            .signUp, "username newPassword confirmation", offered: true,
            because: "it follows the field for the new password"),
        WrittenForm(
            "An app with the show-password switch on",
            "<field id=user contentType=username> <field id=new contentType=newPassword>",
            .signUp, "username newPassword", because: "its contentType is newPassword"),
        WrittenForm(
            "An app with first and last name",
            """
            <field id=firstName> <field id=lastName> <field id=email keyboard=emailAddress> <field id=password secure>
            """,
            .signUp, "other other username newPassword", offered: true, because: "as a sign-up does"),
        WrittenForm(
            "The web's words, as the standard has them",
            """
            <input type=email name=email autocomplete="username"> <input type=password name=pw autocomplete="new-password">
            <input type=password name=pw2 autocomplete="new-password">
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its autocomplete is new-password"),
        WrittenForm(
            "An address named only by autocomplete=email, under a heading",
            """
            <form heading="Create your account"> <input type=email autocomplete=email id=e>
            <input type=password id=p autocomplete=new-password>
            """,
            .signUp, "username newPassword", offered: true, because: "no other field is the user name"),
        WrittenForm(
            "GitHub's way: e-mail, password, user name",
            """
            <input type=email id=email name="user[email]" autocomplete=email>
            <input type=password id=password name="user[password]" autocomplete=new-password passwordrules="minlength: 15;">
            <input type=text id=login name="user[login]" autocomplete=off>
            """,
            .signUp, "emailAddress newPassword username", offered: true, because: "its autocomplete is email"),
        WrittenForm(
            "WordPress's registration: user name and e-mail address, and one password",
            "<input type=text name=user_login> <input type=email name=user_email> <input type=password name=user_pass>",
            .signUp, "username emailAddress newPassword", offered: true,
            because: "the form asks for a user name and an e-mail address"),
        WrittenForm(
            "Django's registration",
            "<input name=username maxlength=150 type=text> <input type=password name=password1> <input type=password name=password2>",
            .signUp, "username newPassword confirmation", offered: true,
            because: "named as the field before it, with a 2"),
        WrittenForm(
            "Rails with Devise",
            """
            <input type=email name="user[email]" id=user_email> <input type=password name="user[password]" id=user_password>
            <input type=password name="user[password_confirmation]" id=user_password_confirmation>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its name contains “confirmation”"),
        WrittenForm(
            "ASP.NET Identity",
            """
            <input type=email id=Input_Email name=Input.Email> <input type=password id=Input_Password>
            <input type=password id=Input_ConfirmPassword>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "confirm"),
        WrittenForm(
            "A shop: name, address, phone, password once, and the terms",
            """
            <input name=fname placeholder="First name"> <input name=lname placeholder="Last name"> <input type=tel name=phone>
            <input type=email name=email> <input type=password name=password> <input type=checkbox name=accept_terms>
            """,
            .signUp, "other other other username newPassword other", offered: true, because: "as a sign-up does"),
        WrittenForm(
            "The address asked for twice",
            "<input type=email name=email> <input type=email name=email_confirm> <input type=password name=password>",
            .signUp, "username emailAddress newPassword", offered: true, because: "the e-mail address twice"),
        WrittenForm(
            "Password rules on the only password field",
            "<input type=email name=mail> <input type=password name=pw passwordrules=\"minlength: 8; required: digit;\">",
            .signUp, "username newPassword", offered: true, because: "it has password rules"),
        WrittenForm(
            "Create a password, by the placeholder",
            "<input type=email id=a> <input type=password id=b placeholder=\"Create a password\">",
            .signUp, "username newPassword", offered: true, because: "its placeholder contains “create”"),
        WrittenForm(
            "A sign-up with a search box above and a newsletter below",
            """
            <input type=search name=s> <input type=text name=q placeholder=Search> <input type=email name=reg_email>
            <input type=password name=reg_password> <input type=checkbox name=newsletter>
            """,
            .signUp, "search search username newPassword other", offered: true,
            because: "search, because its type is search"),
        WrittenForm(
            "A sign-up with a card",
            """
            <input type=email name=email> <input type=password name=new_password> <input name=cardnumber autocomplete=cc-number>
            <input type=password name=cvc maxlength=4>
            """,
            .signUp, "username newPassword payment payment", offered: true, because: "its autocomplete is cc-number"),
        WrittenForm(
            "A sign-up with a trap for robots",
            """
            <input type=text name=website hidden> <input type=text name=honeypot_email> <input type=email name=email>
            <input type=password name=password> <input type=password name=password_again>
            """,
            .signUp, "hidden hidden username newPassword confirmation", offered: true,
            because: "its name contains “honeypot”"),
        WrittenForm(
            "Show password is on: two fields of text",
            "<input type=email name=email> <input type=text name=password> <input type=text name=confirm_password>",
            .signUp, "username newPassword confirmation", because: "the field after it confirms it"),
        WrittenForm(
            "Spanish",
            """
            <input type=text name=nombre_usuario> <input type=password name=contraseña>
            <input type=password name=repetir_contraseña>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its name contains “repet"),
        WrittenForm(
            "German",
            """
            <input type=text name=benutzername> <input type=password name=kennwort>
            <input type=password name=kennwortWiederholen>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its name contains “wiederhol”"),
        WrittenForm(
            "French",
            """
            <input type=text name=prenom> <input type=email name=courriel> <input type=password name=mot_de_passe>
            <input type=password name=confirmez_mot_de_passe>
            """,
            .signUp, "other username newPassword confirmation", offered: true, because: "its name contains “confirmez”"),
        WrittenForm(
            "Portuguese",
            "<input type=text name=usuario> <input type=password name=senha> <input type=password name=confirmarSenha>",
            .signUp, "username newPassword confirmation", offered: true, because: "confirm"),
        WrittenForm(
            "Russian",
            """
            <input type=text name=login placeholder=Логин> <input type=password name=p1 placeholder=Пароль>
            <input type=password name=p2 placeholder="Повторите пароль">
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its placeholder contains “повтор”"),
        WrittenForm(
            "Japanese",
            """
            <input type=text placeholder=メールアドレス id=f1> <input type=password placeholder=パスワード id=f2>
            <input type=password placeholder=パスワード（確認） id=f3>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its placeholder contains “確認”"),
        WrittenForm(
            "Two passwords beside a name, without any hint",
            "<input type=text id=x1> <input type=password id=x2> <input type=password id=x3>",
            .signUp, "username newPassword confirmation", offered: true,
            because: "it is the first of two password fields"),
        WrittenForm(
            "Both typed the same",
            "<input type=text id=x1 value=jo> <input type=password id=x2 value=s3> <input type=password id=x3 value=s3>",
            .signUp, "username newPassword confirmation", offered: true,
            because: "it is the second of two password fields"),
        WrittenForm(
            "The second page of a sign-up: the password alone",
            "<input type=password name=password autocomplete=new-password>",
            .signUp, "newPassword", because: "its autocomplete is new-password"),
        WrittenForm(
            "contentType wins over autocomplete",
            """
            <field id=a contentType=username autocomplete=email> <field id=b contentType=newPassword secure \
            autocomplete=current-password>
            """,
            .signUp, "username newPassword", offered: true, because: "b: new password, because its contentType"),
        WrittenForm(
            "autocomplete=off has no effect",
            """
            <input type=text name=username autocomplete=off> <input type=password name=pass1 autocomplete=off>
            <input type=password name=pass2 autocomplete=off>
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "named as the field before it"),
    ]
}
