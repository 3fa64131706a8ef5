//! The German help of every command and argument. Whoever adds a command or an argument to `cli.rs` adds its text here; a test in `help.rs` names what is missing.
//!
//! Examples are taken from the English help, and so are exit codes, defaults, variables and possible values. A clerk reads this: formal, short, with the
//! terms of docs/glossary.md.

/// By the words after `zaehlwerk`: what the command is for in a line, and what else there is to know.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    (
        "",
        "Zählwerk für Versorger und Messstellenbetreiber: Mandanten einrichten, Zugänge und Ableseaufträge einlesen, Stände ausgeben, Auskunft und Löschung",
        "Zugangsdaten sind die aus AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY und AWS_SESSION_TOKEN, sonst die der AWS-Befehlszeile (aws) für AWS_PROFILE, und \
         werden von ihr erneuert; die Region ist AWS_REGION, sonst die des Profils.",
    ),
    ("tenant", "Der Mandant selbst: Einstellungen, Texte, Logo", ""),
    ("tenant new", "Ordner für einen Mandanten anlegen: Einstellungen, die `tenant apply` annimmt, und eine Seite, die alles erklärt", ""),
    ("tenant schema", "JSON-Schema von tenant.json oder exports.json ausgeben, für Editoren", ""),
    ("tenant diff", "Anzeigen, was `tenant apply` ändern würde", "Rückgabewert 1: es gibt Unterschiede, oder der Ordner ist fehlerhaft."),
    (
        "tenant apply",
        "Den Ordner eines Mandanten prüfen und als Ganzes in Kraft setzen",
        "ORDNER enthält tenant.json, contact.json, instructions.json und logo.png sowie nach Bedarf je Sprache translations/<Sprache>.json und \
         help/<Sprache>.md. Ist etwas fehlerhaft, wird jeder Fehler als `Datei: Stelle: Grund` ausgegeben, nichts geändert, und der \
         Rückgabewert ist 1. Was jemand am Arbeitsplatz in Kraft gesetzt hat, wird ohne `--over-desk` nicht ersetzt; `tenant fetch` holt es und nennt seine Version.",
    ),
    (
        "tenant fetch",
        "Die Dateien, die in Kraft sind, in den Ordner eines Mandanten schreiben, etwa die am Arbeitsplatz geänderten",
        "Gleichnamige Dateien werden ersetzt; Texte von Sprachen, die der Mandant nicht mehr hat, und exports.json, wenn er keine Vorlagen hat, \
         werden entfernt; andere Dateien bleiben.",
    ),
    ("accounts", "Zugänge: wer sich anmelden kann", ""),
    (
        "accounts import",
        "Zugänge anlegen und auf den neuesten Stand bringen",
        "Jede Zeile von DATEI ist {id, name, username?, password?, token?, roles?, language?, email?, salutation?, validUntil?}. Mit --letters wird bei einem \
         neuen Zugang erzeugt, was an Benutzername, Passwort und Zugangscode fehlt; ohne bekommt ein Zugang, der keine Zugangsdaten mitbringt, sie mit seinem \
         ersten Anschreiben (`letters reprint`, oder am Arbeitsplatz). Wurde der Befehl unterbrochen, stehen die Anschreiben bis dahin in \
         AUSGABE.unfinished, und derselbe Befehl mit demselben --letters setzt sie fort. Dieselbe Datei noch einmal ändert nichts. Rückgabewert 1: \
         Zeilen sind fehlerhaft; jeder Fehler wird gemeldet, die übrigen Zeilen sind übernommen.",
    ),
    (
        "accounts list",
        "Kundschaft auflisten oder mit Wörtern suchen: Name, Kundennummer, Benutzername, Straße, Postleitzahl, Ende einer Zählernummer, Markt- oder Messlokation",
        "Mehrere Wörter grenzen ein: alle müssen vorkommen. Die Schreibweise ist gleich (Müller, Mueller, MULLER). Die Suche wird mit --by im \
         Nachweis festgehalten (`zaehlwerk audit`).",
    ),
    (
        "accounts show",
        "Alles zu einer Kundin oder einem Kunden zeigen: Zähler und Aufträge, Stände aller Jahre, E-Mails, Anmeldungen, Freigaben",
        "Die Einsicht wird mit --by im Nachweis festgehalten (`zaehlwerk audit`). Rückgabewert 1: diesen Zugang gibt es nicht.",
    ),
    ("jobs", "Ableseaufträge: was abgelesen werden soll", ""),
    (
        "jobs import",
        "Ableseaufträge anlegen und auf den neuesten Stand bringen; übermittelte Stände bleiben erhalten",
        "Jede Zeile von DATEI ist {accountId, id, meter, …}. Dieselbe Datei noch einmal ändert nichts. Ein Auftrag oder Zähler, den ein anderer \
         Zugang hatte, zieht um: der Auftrag des anderen wird geschlossen und behält seine Stände. Rückgabewert 1: Zeilen sind fehlerhaft; \
         jeder Fehler wird gemeldet, die übrigen Zeilen sind übernommen. Auch 1: es würden so viele Aufträge geschlossen, dass es zu bestätigen ist, \
         dann wurde nichts getan; oder DATEI enthält gar keinen Auftrag, und keiner wurde geschlossen.",
    ),
    ("jobs list", "Aufträge auflisten oder mit Wörtern suchen, wie `accounts list` die Kundschaft", ""),
    ("jobs show", "Einen Auftrag mit seinen Ständen aller Jahre zeigen", "Rückgabewert 1: diesen Auftrag gibt es nicht."),
    (
        "jobs open",
        "Auflisten, wer noch nicht abgelesen hat, nach Postleitzahl, Straße und Hausnummer: für ein zweites Anschreiben, einen Rundgang, eine Schätzung",
        "",
    ),
    ("letters", "Anschreiben: was die Kundschaft per Post bekommt", ""),
    (
        "letters print",
        "Anschreiben als PDF erstellen (DIN 5008, PDF/A) und als Tabelle für eine Druckerei",
        "DATEI ist die Ausgabe von `accounts import` oder `letters reprint`; Anschriften und Zähler kommen aus den Aufträgen. Ein Anschreiben, das \
         nicht ankommen kann oder nichts zu erfragen hat, wird ausgelassen: ohne Straße, Ort, deutsche Postleitzahl oder offenen Auftrag, mit \
         einer Anschrift oder einem Text, der nicht passt, oder mit einem Link, der keinen Zugang des Mandanten mehr öffnet. Rückgabewert 1: \
         Anschreiben wurden ausgelassen oder enthalten Zeichen, die der Schrift fehlen; jedes wird mit seinem Zugang gemeldet.",
    ),
    (
        "letters reprint",
        "Zugängen neue Zugangsdaten geben und deren Anschreiben schreiben; altes Passwort und alter Link enden sofort, eine registrierte E-Mail-Adresse wird vergessen",
        "Was ein Zugang freigegeben hat, gilt weiter und wird gezählt: der Hausmeister einer Hausverwaltung braucht wegen eines verlorenen \
         Anschreibens keinen neuen Zugang. Mit --end-shares endet es, mit allem darunter: für ein Anschreiben, das ein anderer gehabt haben \
         kann.\n\nMit --keep-login enthalten die Anschreiben nur einen neuen Link: Benutzername, Passwort, frühere Links und Sitzungen bleiben. Das ist \
         das Anschreiben der nächsten Ablesesaison, mit --all für alle, deren Aufträge abgelesen werden können.\n\nWer noch keine Zugangsdaten hat, \
         bekommt sie mit dem einen wie dem anderen Anschreiben. Wessen letztes Anschreiben zurückkam, bekommt keines, außer --account nennt den \
         Zugang.\n\nWurde der Befehl unterbrochen, stehen die Anschreiben bis dahin in AUSGABE.unfinished, und derselbe Befehl mit demselben \
         --letters setzt sie fort.\n\nRückgabewert 1: Zugänge gibt es nicht, oder ihr Anschreiben kam zurück; die übrigen haben ihr Anschreiben.",
    ),
    ("imports", "Was eingelesen wurde, und wie es zurückgenommen wird", ""),
    ("imports list", "Importe von Zugängen, Aufträgen und Ablesungen auflisten, der neueste zuerst", ""),
    (
        "imports undo",
        "Einen Import zurücknehmen, 90 Tage lang: was er angelegt hat, entfällt; geänderte oder geschlossene Aufträge werden, was sie waren",
        "Was seitdem benutzt wurde, bleibt: ein abgelesener Auftrag, ein Zugang, der angemeldet war, Aufträge hat oder neue Zugangsdaten bekam. Ebenso ein geänderter Zugang. \
         Rückgabewert 1: etwas bleibt; es wird genannt.",
    ),
    ("members", "Wer am Arbeitsplatz des Versorgers arbeitet", ""),
    ("members list", "Auflisten, wer am Arbeitsplatz des Mandanten arbeitet, mit Rollen, und wer eingeladen ist", ""),
    (
        "members invite",
        "Jemanden per E-Mail an den Arbeitsplatz des Mandanten einladen",
        "Der Link gilt einmal und sieben Tage; zwei, wenn er die Rolle lead oder platform öffnet. Wer ihn annimmt, meldet sich vorher an.\nWer die Plattform betreibt, ist Mitglied von `platform`, mit der Rolle platform; dafür geht keine E-Mail hinaus, der Link wird ausgegeben.\nWo der Mandant keine eigene Anmeldung hat, muss, wer eingeladen wird, auch Benutzer des Benutzerpools sein; der Befehl dafür wird ausgegeben.\nRückgabewert 1: die E-Mail ging nicht hinaus; der ausgegebene Link gilt trotzdem.",
    ),
    (
        "members change",
        "Einem Mitglied andere Rollen geben, mit dem nächsten Klick",
        "Ein Mandant mit Aufträgen behält zwei Leitungen. Rückgabewert 1: dieses Mitglied gibt es nicht.",
    ),
    (
        "members remove",
        "Eine Mitgliedschaft beenden, mit dem nächsten Klick",
        "Offene Einladungen an die Adresse des Mitglieds und solche, die es geschrieben hat, enden mit. Ein Mandant mit Aufträgen behält zwei \
         Leitungen. Rückgabewert 1: dieses Mitglied gibt es nicht.",
    ),
    ("invitations", "E-Mails statt Anschreiben, die um Ablesung bitten", ""),
    (
        "invitations send",
        "Alle Zugänge mit Adresse und offenen Aufträgen einladen: eine E-Mail mit einem Link zur Anmeldung",
        "Eine bestätigte Adresse geht der aus `accounts import` vor; wer solche E-Mails abgelehnt hat, bekommt keine. Zugangsdaten und frühere Links \
         bleiben. Tempo und Grenzen sind die der Erinnerungen. Der Lauf kann abgebrochen und neu begonnen werden: niemand bekommt zu denselben \
         Aufträgen eine zweite E-Mail. Rückgabewert 1: einige konnten nicht versendet werden oder warten bis morgen, weil der Mandant heute an \
         nicht mehr Empfänger schreiben darf.",
    ),
    ("readings", "Stände: was abgelesen wurde", ""),
    ("readings list", "Stände aller Jahre zu Aufträgen auflisten, die mit Wörtern gefunden werden, wie `accounts list` die Kundschaft", ""),
    (
        "readings enter",
        "Einen Stand eintragen, der per Telefon, Karte oder E-Mail kam oder den der Außendienst abgelesen hat",
        "Es gelten die Regeln des Portals, ohne Fotos. Was auffällt, braucht --confirm, wartet dann auf Klärung und geht erst danach hinaus. Nach der \
         Frist sagt --late, warum der Stand trotzdem eingetragen wird. Ist der Zähler schon abgelesen oder wurde derselbe Stand abgelehnt, nennt \
         --replaces dazu diese Ablesung; ihre Kennung steht in der Ablehnung. Wer eine bestätigte E-Mail-Adresse hat, bekommt die Ablesebestätigung. Rückgabewert 1: \
         der Stand wurde aus den genannten Gründen nicht eingetragen, oder die Bestätigung ging nicht hinaus.",
    ),
    (
        "readings import",
        "Stände aus einer Datei eintragen: gescannte oder abgetippte Karten, eine Liste des Außendienstes",
        "Jede Zeile von DATEI ist {job | code | meterNumber, readingDate, readings: [{register?, value}], channel?, comment?, lowerReason?}. Eine Datei mit \
         der Endung .csv braucht keine Zuordnung, wenn ihre Spalten Auftrag, Code oder Zählernummer, Datum, Stand oder Stand HT und Stand NT heißen. \
         Dieselbe Datei noch einmal trägt nichts doppelt ein. Was weit außerhalb des Erwarteten liegt, wird eingetragen und wartet auf Klärung. Ein \
         Zähler, der schon abgelesen ist, behält seinen Stand; die Zeile ist fehlerhaft, wenn sie etwas anderes sagt. Rückgabewert 1: Zeilen sind \
         fehlerhaft; jeder Fehler wird gemeldet, die übrigen Zeilen sind eingetragen.",
    ),
    (
        "readings mscons",
        "Marktnachrichten (MSCONS) für Strom und Gas schreiben, eine Datei je Empfänger",
        "Jeder Stand wird einmal gesendet. Was danach berichtigt oder abgelehnt wurde, wird zuerst storniert (13006); was an seine Stelle tritt, folgt \
         mit dem nächsten Lauf. Außen vor bleiben Stände, die auf Klärung warten oder deren Tag noch nicht vorbei ist. Einen unterbrochenen Lauf \
         beendet der nächste, mit denselben Referenzen. Marktpartner und Rollen stehen in tenant.json unter desk.market. Rückgabewert 1: zu \
         ausgelassenen Ständen ist etwas zu tun, etwa weil die Messlokation fehlt; jeder Grund wird gezählt.",
    ),
    (
        "readings export",
        "Alle eingegangenen Stände schreiben, oder mit --new jeden genau einmal",
        "Die Werte sind genau, Ziffer für Ziffer. Mit --since kann ein Stand einige Sekunden nach seinem Eingang erscheinen: lassen Sie zwei \
         Exporte sich um eine Minute überschneiden; `jobId` und `resultId` zeigen, welche Zeilen dieselben sind. Mit --new wird vermerkt, was \
         ausgegeben ist: die Datei enthält, was noch keine enthielt, ohne das, was auf Klärung wartet; einen unterbrochenen Lauf beendet der \
         nächste unter demselben Namen. Eine Datei dieses Namens mit anderem Inhalt wird nicht ersetzt (Rückgabewert 2). \
         Rückgabewert 1: der Zeichensatz der Vorlage kennt Buchstaben nicht; sie stehen als `?` in der Datei, oder mit --again fehlen Stände des Exports.",
    ),
    ("market", "Nachrichten an Marktpartner und deren Antworten", ""),
    (
        "market receive",
        "Antworten der Marktpartner einlesen: CONTRL (war es lesbar?) und APERAK (war es zu verarbeiten?)",
        "Dieselbe Datei noch einmal ändert nichts. Rückgabewert 1: etwas gehört zu keiner gesendeten Nachricht oder ist keine Antwort; das Übrige ist \
         eingelesen.",
    ),
    (
        "market status",
        "Nachrichten der letzten 400 Tage auflisten, die neueste zuerst: offen, angenommen, abgelehnt und warum",
        "Rückgabewert 1: einige wurden abgelehnt.",
    ),
    (
        "market resend",
        "Abgelehnte Nachrichten mit dem nächsten Lauf noch einmal senden, etwa nachdem der Marktpartner seine Stammdaten berichtigt hat",
        "Ohne NACHRICHT alle abgelehnten. Rückgabewert 1: eine davon war nicht abgelehnt.",
    ),
    ("webhook", "Der Empfänger des Mandanten, der Stände sofort bekommt", ""),
    (
        "webhook status",
        "Zeigen, wie es um den Empfänger steht: was wartet, seit wann, und was er zuletzt geantwortet hat",
        "Rückgabewert 1: der Empfänger nimmt gerade nichts an, oder es gibt unzustellbare Nachrichten.",
    ),
    (
        "webhook dead",
        "Unzustellbare Nachrichten auflisten: der Empfänger hat sie nicht angenommen, und von selbst werden sie nicht mehr gesendet",
        "",
    ),
    (
        "webhook retry",
        "Unzustellbare Nachrichten unter ihren Kennungen noch einmal senden und alles Wartende sofort versuchen",
        "Ohne NACHRICHT alle; auch nachdem der Empfänger gemeldet hat, dass es seine Adresse nicht mehr gibt. Rückgabewert 1: eine der \
         Nachrichten ist nicht unzustellbar; die übrigen werden gesendet.",
    ),
    (
        "webhook discard",
        "Unzustellbare Nachrichten verwerfen; sie werden nie gesendet, ihre Stände bleiben und können ausgegeben werden",
        "Rückgabewert 1: eine der Nachrichten ist nicht unzustellbar; die übrigen sind verworfen.",
    ),
    (
        "webhook test",
        "Dem Empfänger jetzt und einmal eine signierte Nachricht der Art `ping` senden",
        "Rückgabewert 1: sie wurde nicht angenommen.",
    ),
    ("subject", "Was über eine Person gespeichert ist: Auskunft und Löschung", ""),
    (
        "subject show",
        "Alles zu einem Zugang und den Zugängen, denen er freigegeben hat, ausgeben (Art. 15 DSGVO)",
        "Ein JSON-Objekt je Zeile, jedes mit seiner Art (`kind`). Rückgabewert 1: es ist nichts gespeichert.",
    ),
    (
        "subject erase",
        "Einen Zugang und alles, was er freigegeben hat, löschen: Einträge, Stände, Fotos in allen Fassungen (Art. 17 DSGVO)",
        "Übrig bleibt eine Zeile in der Liste der Löschungen, die niemanden nennt. Eine Stunde später sieht die Hintergrundfunktion `erasure` \
         ein letztes Mal nach. Rückgabewert 1: es ist nichts gespeichert, oder es wurde nicht bestätigt; 2: für den Mandanten gilt eine \
         Löschsperre, oder es ging nicht.",
    ),
    (
        "subject erasures",
        "Die Liste der Löschungen ausgeben, ein JSON-Objekt je Zeile; sie nennt niemanden aus der Kundschaft",
        "Solche, die begonnen haben oder auf ein zweites Mitglied warten, stehen am Ende, ohne `erasedAt`.",
    ),
    ("subject holds", "Ausgeben, wessen Daten gesperrt sind, warum, durch wen und seit wann, ein JSON-Objekt je Zeile", ""),
    (
        "subject replay",
        "In einer wiederhergestellten Tabelle noch einmal löschen, wen DATEI aufführt",
        "Wer nach einer Löschung wiederkam, die in der eigenen Liste der wiederhergestellten Tabelle steht, bleibt. Rückgabewert 1: eine Zeile von DATEI \
         gehört nicht zu einer solchen Liste; die übrigen sind ausgeführt.",
    ),
    (
        "audit",
        "Wer welchen Befehl zu personenbezogenen Daten gegeben hat, aufbewahrt für retention.auditDays (sonst zwei Jahre); ein JSON-Objekt je Zeile",
        "",
    ),
    (
        "season",
        "Wie weit die Ablesesaison ist: Rücklauf insgesamt, nach Tag, nach Zugang, nach Sparte; offene Aufträge kurz vor der Frist",
        "",
    ),
    ("seasons", "Ablesesaisons: welche Aufträge zusammen abgelesen werden", ""),
    ("seasons list", "Die Ablesesaisons des Mandanten auflisten, die späteste zuerst", ""),
    (
        "seasons create",
        "Eine Ablesesaison anlegen oder die mit dieser Kennung ändern; ihre Aufträge bleiben",
        "Zeilen von `jobs import`, deren Zeitraum, Sparte oder Ortsteil nicht zu ihrer Ablesesaison gehört, sind Fehler. Sobald es eine \
         Ablesesaison gibt, muss jede Auftragsdatei eine nennen.",
    ),
    ("reminders", "E-Mails zu Aufträgen, die noch offen sind", ""),
    (
        "reminders send",
        "Zugänge mit bestätigter Adresse und offenen Aufträgen kurz vor der Frist erinnern",
        "Wie oft, wie früh und wie schnell, steht in tenant.json unter desk.reminders; die Läufe aller Mandanten nehmen zusammen die Hälfte von \
         dem, was der E-Mail-Dienst annimmt. Der Lauf kann abgebrochen und neu begonnen werden: niemand bekommt eine Erinnerung zweimal. \
         Rückgabewert 1: einige konnten nicht versendet werden oder warten bis morgen, weil der Mandant heute an nicht mehr Empfänger \
         schreiben darf.",
    ),
    (
        "clearing",
        "Stände, die eine Sachbearbeitung ansehen sollte: Zählerwechsel, Zählerüberläufe, Werte außerhalb des Erwartungsbereichs",
        "",
    ),
    (
        "clearing list",
        "Stände auflisten, die auf eine Entscheidung warten; vorher werden sie nicht ausgegeben",
        "Stände ohne Auftrag (WITHOUT_JOB) werden ausgegeben, auch während sie warten; zugeordnet oder abgelehnt werden sie nur am Arbeitsplatz.",
    ),
    (
        "clearing release",
        "Einen Stand freigeben",
        "Wurde der Zähler gewechselt, nennen Sie den Tag, die neue Zählernummer und beide Stände des Zählwerks: sie werden mit ausgegeben. In den \
         Markt gehen sie nur mit der neuen Nummer. Was daran unwahrscheinlich ist, etwa ein Endstand unter dem letzten bekannten Stand, braucht \
         --confirmed.",
    ),
    (
        "clearing reject",
        "Einen Stand ablehnen: sein Zählwerk ist wieder offen, und das Portal nennt den Grund",
        "Wer eine bestätigte E-Mail-Adresse hat, bekommt eine E-Mail mit den Worten aus --reason, die um eine neue Ablesung bittet, solange noch \
         abgelesen werden kann. Rückgabewert 1: die E-Mail wurde nicht versendet.",
    ),
    (
        "clearing undo",
        "Eine Entscheidung zurücknehmen: der Stand wartet wie zuvor",
        "Das geht, bis ein Export oder der Webhook sie hat; dann entscheiden Sie neu, und der nächste Export berichtigt es. Eine versendete E-Mail bleibt \
         versendet.",
    ),
];

/// By the words of the command and the argument's name, or by the name alone where it means the same everywhere.
pub const ARGUMENTS: &[(&str, &str)] = &[
    ("help", "Hilfe anzeigen (mit -h kurz, mit --help ausführlich)"),
    ("version", "Version anzeigen"),
    ("json", "Auf der Standardausgabe in einer Zeile JSON sagen, was getan wurde"),
    ("lang", "Sprache der Meldungen, Fehler und Hilfe; sonst die der Umgebung (LC_ALL, LC_MESSAGES, LANG)"),
    ("by", "Wer den Befehl gibt; wird bei personenbezogenen Daten im Nachweis festgehalten"),
    ("endpoint_url", "Adresse von DynamoDB statt der Adresse der Region, etwa http://127.0.0.1:8000"),
    ("table", "Die Tabelle"),
    ("bucket", "Der Bucket mit den Fotos; zum Löschen nötig"),
    ("tenant", "Kennung des Mandanten"),
    ("account", "Der Zugang"),
    ("dir", "Der Ordner"),
    ("find", "Wörter, die alle vorkommen müssen"),
    ("limit", "Höchste Zahl der Zeilen"),
    (
        "format",
        "Form der Zeilen: table zum Lesen am Bildschirm, csv durch Semikolon getrennt mit Kopfzeile, wobei eine Zelle, die eine Tabellenkalkulation \
         für eine Formel hielte, einen Apostroph vorangestellt bekommt, jsonl ein JSON-Objekt je Zeile",
    ),
    ("season", "Nur diese Ablesesaison; `default` sind die Aufträge, die zu keiner gehören"),
    ("file", "JSON-Zeilen; mit --mapping eine CSV-Datei"),
    ("mapping", "Zuordnung (JSON): DATEI ist CSV, und hier steht, welche Spalte welches Feld ist (siehe docs/season.md)"),
    ("from_line", "Ab dieser Zeile von DATEI beginnen, etwa nach einer Unterbrechung"),
    ("faults", "CSV-Datei für alle Fehler: Zeile, Spalte, Wert, Grund; mit --from-line eine, die es noch nicht gibt"),
    ("messages", "Nachrichten, wie `webhook dead` sie auflistet"),
    ("job", "Der Auftrag"),
    ("reading", "Die Kennung des Stands, wie `clearing list` sie zeigt"),
    ("letters", "Neue Datei für die Anschreiben"),
    ("tenant apply over_desk", "Auch diese Version ersetzen, obwohl sie am Arbeitsplatz in Kraft gesetzt wurde"),
    ("tenant new dir", "Der Ordner, den es noch nicht geben darf"),
    ("tenant schema file", "Von welcher Datei"),
    ("tenant new id", "Kennung des Mandanten"),
    ("tenant new name", "Der Name, den das Portal zeigt"),
    ("tenant new host", "Der Hostname des Portals"),
    ("accounts import dry_run", "Alles prüfen und sagen, was geschähe, ohne es zu tun"),
    (
        "accounts import letters",
        "Neue Datei für die Anschreiben: eine Zeile je neuem Zugang, mit seinen Zugangsdaten. Sie stehen sonst nirgends",
    ),
    ("jobs import dry_run", "Alles prüfen und sagen, was geschähe, ohne es zu tun"),
    (
        "jobs import close_missing",
        "Aufträge der Ablesesaison schließen, die nicht in DATEI stehen; nur wenn keine Zeile fehlerhaft ist, und mehr als 5 von 100 nur, wenn es bestätigt wurde",
    ),
    (
        "jobs import season",
        "Die Ablesesaison, zu der DATEI gehört; nötig, sobald der Mandant Ablesesaisons hat, außer wenn jede Zeile ihre eigene nennt",
    ),
    ("jobs import yes_close", "Bestätigen, dass so viele Aufträge geschlossen werden"),
    ("jobs import close_list", "CSV-Datei mit den Aufträgen, die geschlossen würden; geschrieben, bevor etwas geschieht"),
    (
        "jobs import rehearse",
        "DATEI nur zusammen mit dieser Datei von Zugängen prüfen, die es noch nicht geben muss; nichts wird gespeichert, kein Passwort erzeugt",
    ),
    ("jobs import rehearse_mapping", "Zuordnung zu ZUGÄNGE"),
    ("accounts show account", "Der Zugang, wie `accounts list` ihn zeigt"),
    ("jobs list season", "Nur aus dieser Ablesesaison"),
    ("jobs open season", "Nur aus dieser Ablesesaison"),
    ("jobs open meter_type", "Nur diese Sparte, etwa GAS_METER; mehrfach möglich"),
    ("jobs open district", "In dieser Postleitzahl, diesem Ort oder Ortsteil, auch wenn eines davon so beginnt"),
    ("jobs open due_until", "Mit einer Frist bis zu diesem Tag"),
    ("jobs open overdue", "Mit abgelaufener Frist"),
    ("jobs open with_email", "Deren Zugang eine bestätigte E-Mail-Adresse hat"),
    ("jobs open without_email", "Deren Zugang keine bestätigte E-Mail-Adresse hat"),
    ("jobs open preset", "Spalten, Namen und Zeichen nach dieser Vorlage: `plain` für Excel, oder eine eigene aus exports.json"),
    (
        "jobs open format",
        "Form der Zeilen: table für den Bildschirm (so auch ohne Angabe, mit --preset die Form der Vorlage); csv durch Semikolon getrennt mit \
         Kopfzeile, wobei eine Zelle, die eine Tabellenkalkulation für eine Formel hielte, einen Apostroph vorangestellt bekommt; jsonl ein \
         JSON-Objekt je Zeile; xlsx eine Arbeitsmappe für Excel, ohne --preset nach der Vorlage `plain`",
    ),
    ("jobs open out", "Die Datei, ersetzt, sobald alle Zeilen geschrieben sind; ohne Angabe die Standardausgabe"),
    ("readings list limit", "Höchste Zahl der Aufträge"),
    ("readings enter meter", "Die Nummer auf dem Zähler statt des Auftrags"),
    ("readings enter channel", "Auf welchem Weg der Stand kam: PHONE, CARD, EMAIL, TECHNICIAN, oder IMPORT, wenn es niemand weiß"),
    ("readings enter value", "Der Zählerstand; bei mehreren Zählwerken je einmal als ZÄHLWERK=STAND (OBIS-Kennzahl, oder HT und NT)"),
    ("readings enter date", "Der Tag der Ablesung; ohne Angabe heute"),
    ("readings enter comment", "Was die Kundin oder der Kunde dazu bemerkt"),
    ("readings enter lower_reason", "Warum der Stand kleiner ist als vorher: METER_CHANGE (Zählerwechsel) oder ROLLOVER (Zählerüberlauf)"),
    ("readings enter confirm", "Warum ein auffälliger Stand richtig ist"),
    ("readings enter late", "Warum er nach der Frist, an der Stelle eines anderen oder nach einer Ablehnung noch einmal eingetragen wird"),
    (
        "readings enter replaces",
        "Die Kennung der Ablesung, an deren Stelle er tritt oder die abgelehnt wurde; bei mehreren Zählwerken je einmal",
    ),
    ("readings enter dry_run", "Sagen, was geschähe, ohne es zu tun"),
    (
        "readings enter configuration_set",
        "Die Konfiguration des E-Mail-Dienstes (configuration set), die Rückläufer und Beschwerden meldet",
    ),
    ("readings import dry_run", "Alles prüfen und sagen, was geschähe, ohne es zu tun"),
    (
        "readings import channel",
        "Auf welchem Weg die Stände kamen, deren Zeile es nicht sagt: PHONE, CARD, EMAIL, TECHNICIAN, oder IMPORT, wenn es niemand weiß",
    ),
    ("readings import late", "Warum sie nach der Frist eingetragen werden"),
    ("letters print file", "Die Anschreiben als JSON-Zeilen"),
    (
        "letters print pdf",
        "Die Anschreiben, nach Postleitzahl geordnet; sind es mehr als --per-file, AUSGABE-001.pdf, AUSGABE-002.pdf und so weiter. \
         AUSGABE.manifest.json nennt alle Dateien mit Anzahl und SHA-256",
    ),
    ("letters print per_file", "Höchste Zahl der Anschreiben in einem PDF"),
    ("letters print season", "Nur zu den Aufträgen dieser Ablesesaison"),
    ("letters print reply_cards", "Mit einer Ablesekarte zum Abtrennen für jeden Zähler, auf eigenen Seiten"),
    ("letters print pdf_dir", "Ein Ordner mit einem PDF je Anschreiben, benannt nach dem Zugang"),
    ("letters print csv", "Die Daten aller Anschreiben als CSV, eine Zeile je Anschreiben, in derselben Reihenfolge"),
    ("letters print template", "Eigener Text des Versorgers statt des mitgelieferten (siehe docs/season.md)"),
    ("letters reprint account", "Ein Zugang; mehrfach möglich"),
    ("letters reprint accounts", "Eine Datei mit einer Zugangskennung je Zeile"),
    ("letters reprint end_shares", "Auch beenden, was mit den alten Zugangsdaten freigegeben wurde"),
    ("letters reprint all", "Alle eigenen Zugänge mit einem Auftrag, der abgelesen werden kann"),
    ("letters reprint season", "Mit --all nur Aufträge dieser Ablesesaison"),
    ("letters reprint keep_login", "Zugangsdaten lassen, wie sie sind, und Anschreiben mit neuem Link schreiben"),
    ("imports undo id", "Der Import, wie `imports list` ihn zeigt"),
    ("members invite email", "Wohin die Einladung geht"),
    ("members invite roles", "Was das Mitglied darf: support, clerk, lead, privacy oder platform; mehrfach möglich"),
    ("members invite desk_origin", "Wo der Arbeitsplatz ist, etwa https://desk.example"),
    (
        "members invite configuration_set",
        "Die Konfiguration des E-Mail-Dienstes (configuration set), die Rückläufer und Beschwerden meldet",
    ),
    (
        "members invite member",
        "Das Mitglied, um das es geht und das sich beim Anbieter jetzt anders anmeldet: Seine Geschichte geht weiter",
    ),
    ("members change member", "Das Mitglied, wie `members list` es zeigt"),
    ("members change roles", "Was das Mitglied darf: support, clerk, lead, privacy oder platform; mehrfach möglich"),
    ("members remove member", "Das Mitglied, wie `members list` es zeigt"),
    ("invitations send dry_run", "Sagen, wer was bekäme, und nichts versenden"),
    ("invitations send without_mail", "Neue Datei mit den Zugängen, die ein Anschreiben brauchen; eine Kennung je Zeile"),
    ("invitations send returned", "Neue Datei mit den Zugängen, deren Einladung zurückkam; eine Kennung je Zeile"),
    (
        "invitations send configuration_set",
        "Die Konfiguration des E-Mail-Dienstes (configuration set), die Rückläufer und Beschwerden meldet",
    ),
    ("readings mscons out", "Der Ordner für die Dateien"),
    ("readings mscons again", "Die Dateien der Exporte dieses Tages noch einmal schreiben, mit denselben Referenzen"),
    (
        "readings export since",
        "Eingegangen ab: ein Tag in der Zeitzone des Mandanten (2026-11-01) oder ein Zeitpunkt (2026-11-01T06:00:00Z)",
    ),
    ("readings export until", "Eingegangen vor: ein Tag oder ein Zeitpunkt; ohne Angabe bis jetzt"),
    ("readings export unknown", "Stände von Zählern ohne Auftrag statt der Stände zu Aufträgen; eine Zeile je Wert"),
    ("readings export new", "Was noch kein Export mit --new enthielt, als neue Datei in --dir"),
    (
        "readings export again",
        "Die Dateien von Exporten mit --new noch einmal: die eines Tages (2026-11-21) oder die mit einer Nummer (12)",
    ),
    ("readings export dir", "Der Ordner für --new und --again"),
    ("readings export season", "Nur Stände aus dieser Ablesesaison"),
    (
        "readings export preset",
        "Spalten, Namen und Zeichen nach dieser Vorlage: `plain` für Excel, `sap-isu`, oder eine eigene aus exports.json",
    ),
    (
        "readings export format",
        "Form der Zeilen, mit --preset anstelle der Form der Vorlage: jsonl ein JSON-Objekt je Zeile; csv durch Komma getrennt mit Kopfzeile (RFC 4180, \
         UTF-8), wobei ein Kommentar, den eine Tabellenkalkulation für eine Formel hielte, einen Apostroph vorangestellt bekommt; xlsx eine \
         Arbeitsmappe für Excel, ohne --preset nach der Vorlage `plain`",
    ),
    ("readings export out", "Die Datei, ersetzt, sobald alle Zeilen geschrieben sind; ohne Angabe die Standardausgabe"),
    ("market receive files", "Übertragungsdateien der Marktpartner, entschlüsselt"),
    ("market status state", "Nur Nachrichten in diesem Zustand: open offen, accepted angenommen, refused abgelehnt"),
    ("market resend messages", "Nachrichten, wie `market status` sie auflistet"),
    ("webhook test parameter_prefix", "Womit die Namen der Parameter mit den Signaturschlüsseln beginnen; danach folgt der Mandant"),
    ("subject erase yes", "Ohne Rückfrage löschen"),
    ("subject replay file", "Was `zaehlwerk subject erasures` für die Tabelle vorher ausgegeben hat"),
    (
        "subject replay holds",
        "Was `zaehlwerk subject holds` für die Tabelle vorher ausgegeben hat: diese Löschsperren gelten danach, und keine anderen",
    ),
    (
        "season format",
        "Form des Berichts: table zum Lesen am Bildschirm, csv durch Semikolon getrennt, html eine Seite mit Diagrammen ohne Skripte, json ein \
         JSON-Objekt",
    ),
    ("season recount", "Jeden Auftrag ansehen und neu zählen; was abweicht, wird berichtigt"),
    ("season out", "Die Datei; ohne Angabe die Standardausgabe"),
    ("seasons create id", "Ihre Kennung, etwa 2026"),
    ("seasons create name", "Ihr Name"),
    ("seasons create from", "Ihr erster Tag"),
    ("seasons create to", "Ihr letzter Tag"),
    ("seasons create meter_types", "Eine Sparte, die dazugehört; mehrfach möglich. Ohne Angabe alle"),
    (
        "seasons create districts",
        "Ein Ortsteil, der dazugehört (cityDistrict der Anschrift des Zählers); mehrfach möglich. Ohne Angabe alle",
    ),
    ("reminders send dry_run", "Sagen, wer was bekäme, und nichts versenden"),
    (
        "reminders send configuration_set",
        "Die Konfiguration des E-Mail-Dienstes (configuration set), die Rückläufer und Beschwerden meldet",
    ),
    ("clearing list photos", "Die Fotos in diesem Ordner speichern, als <Auftrag>-<Stand>-<Nummer>.jpg"),
    ("clearing list season", "Von Aufträgen dieser Saison"),
    ("clearing list meter_type", "Von Zählern dieser Art, etwa GAS_METER"),
    (
        "clearing list doubt",
        "Aus diesem Grund: METER_CHANGE, ROLLOVER, OUTSIDE_RANGE, EXPECTED_LOW, EXPECTED_HIGH, LOWER_UNEXPLAINED oder WITHOUT_JOB",
    ),
    ("clearing list older_than", "Die vor mehr als so vielen Tagen kamen"),
    ("clearing list limit", "Höchstens so viele, die ältesten zuerst"),
    (
        "seen",
        "Die Fassung, die `clearing list --json` nannte: Hat inzwischen jemand entschieden oder kam ein neuerer Stand, geschieht nichts",
    ),
    ("clearing list decided", "Statt des Wartenden, was schon entschieden ist, mit den Gründen"),
    ("clearing release exchanged_on", "Der Tag, an dem der Zähler gewechselt wurde"),
    ("clearing release exchanged_at", "Die Uhrzeit an diesem Tag, in der Zeitzone des Mandanten"),
    ("clearing release new_number", "Die Nummer des neuen Zählers"),
    ("clearing release old_number", "Die Nummer des alten Zählers, falls der Stand schon die des neuen hat"),
    ("clearing release final_value", "Der letzte Stand des alten Zählers"),
    ("clearing release initial_value", "Der erste Stand des neuen Zählers"),
    ("clearing release confirmed", "Tag und Stände stimmen, obwohl vor ihnen gewarnt wird"),
    ("clearing release transaction", "Gas: die Nummer des Vorgangs (UTILMD), der den Wechsel im Markt gemeldet hat"),
    ("clearing reject reason", "Der Grund, in Worten, die die Kundschaft liest"),
    (
        "clearing reject configuration_set",
        "Die Konfiguration des E-Mail-Dienstes (configuration set), die Rückläufer und Beschwerden meldet",
    ),
];

/// What stands for an argument's value in the English help, and in the German.
pub const VALUE_NAMES: &[(&str, &str)] = &[
    ("EMAIL", "E-MAIL"),
    ("ROLE", "ROLLE"),
    ("MEMBER", "MITGLIED"),
    ("ACCOUNT", "ZUGANG"),
    ("ACCOUNTS", "ZUGÄNGE"),
    ("COUNT", "ANZAHL"),
    ("CHANNEL", "WEG"),
    ("COUNTER", "STAND"),
    ("DAY", "TAG"),
    ("DAY|NUMBER", "TAG|NUMMER"),
    ("DAYS", "TAGE"),
    ("DIR", "ORDNER"),
    ("FAULTS", "FEHLER"),
    ("FILE", "DATEI"),
    ("FILES", "DATEIEN"),
    ("FORMAT", "FORM"),
    ("HH:MM", "HH:MM"),
    ("HOST", "HOSTNAME"),
    ("ID", "KENNUNG"),
    ("JOB", "AUFTRAG"),
    ("LANG", "SPRACHE"),
    ("LINE", "ZEILE"),
    ("LIST", "LISTE"),
    ("MAP", "ZUORDNUNG"),
    ("MESSAGE", "NACHRICHT"),
    ("NAME", "NAME"),
    ("NUMBER", "NUMMER"),
    ("OUT", "AUSGABE"),
    ("READING", "STAND"),
    ("REASON", "GRUND"),
    ("PLACE", "ORT"),
    ("SEASON", "SAISON"),
    ("STATE", "ZUSTAND"),
    ("TEXT", "TEXT"),
    ("TYPE", "SPARTE"),
    ("URL", "ADRESSE"),
    ("VERSION", "FASSUNG"),
    ("WHEN", "ZEITPUNKT"),
    ("WORDS", "WÖRTER"),
];

/// The German help of an argument.
pub fn argument(words: &str, id: &str) -> Option<&'static str> {
    let own = format!("{words} {id}");
    let of = |key: &str| ARGUMENTS.iter().find(|(known, _)| *known == key).map(|(_, help)| *help);
    of(&own).or_else(|| of(id))
}

/// What stands for a value in the German help.
pub fn value_name(name: &str) -> Option<&'static str> {
    VALUE_NAMES.iter().find(|(english, _)| *english == name).map(|(_, german)| *german)
}
