import { Button } from '@aws-amplify/ui-react'
import { type ReactNode, useId } from 'react'
import type { Application } from '@shared/contract/types.ts'
import { locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { OutsideLink } from '@shared/ui/outside-link.tsx'
import { chooseContrast, useHighContrast } from '@shared/ui/settings.ts'
import { useApplication } from '@/data/application.ts'
import { phoneLink } from './phone.ts'

type Regime = NonNullable<Application['accessibility']['regime']>

/** What each law asks of a portal, and the office that enforces it where that is the same one for all. */
const REGIMES: Record<Regime, { legals: readonly string[]; office?: { name: string; seat: string } }> = {
  BITV: {
    legals: [
      'Behindertengleichstellungsrecht des Bundes und der Länder',
      'Barrierefreie-Informationstechnik-Verordnung (BITV 2.0)',
    ],
  },
  BFSG: {
    legals: ['Barrierefreiheitsstärkungsgesetz (BFSG)', 'Verordnung zum Barrierefreiheitsstärkungsgesetz (BFSGV)'],
    office: {
      name: 'Marktüberwachungsstelle der Länder für die Barrierefreiheit von Produkten und Dienstleistungen (MLBF)',
      seat: 'Magdeburg',
    },
  },
}

/** The standard statement: a legal text, which is not translated. What the tenant does not name is not mentioned. */
export function Statement() {
  // The law asks for the statement in German: the days are the tenant's texts for German readers, in every language of the portal.
  const { t } = useTranslation('accessibility', 'de-FORMAL')
  const { name, accessibility, config, features } = useApplication()
  const { companyName, regime, alternatives, contact, mainUrl } = accessibility
  const company = companyName ?? name
  const law = regime ? REGIMES[regime] : undefined
  const own = accessibility.legals.map(({ text }) => text)
  const legals = own.length > 0 ? own : (law?.legals ?? [])
  return (
    <article className="panel statement" lang="de">
      <Section title="Geltungsbereich">
        <p>
          Diese Erklärung zur Barrierefreiheit gilt für das Portal „{name}“, das unter{' '}
          <a href="/">{window.location.host}</a> erreichbar ist. Anbieter ist {company}.
        </p>
        {mainUrl && new URL(mainUrl).origin !== window.location.origin && (
          <p>
            Sie gilt nicht für andere Internetseiten des Anbieters, etwa{' '}
            <OutsideLink href={mainUrl}>{withoutScheme(mainUrl)}</OutsideLink>.
          </p>
        )}
      </Section>

      <Section title="Rechtsgrundlage">
        {legals.length > 0 ? (
          <>
            <p>Maßgeblich für die Barrierefreiheit dieses Portals sind:</p>
            <ul>
              {legals.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        ) : (
          <p>Maßgeblich sind die gesetzlichen Vorgaben zur Barrierefreiheit, die für {company} gelten.</p>
        )}
      </Section>

      <Section title="Erstellung dieser Erklärung">
        <p>
          Diese Erklärung wurde am {t('dates.created')} erstellt. Sie beruht auf einer Selbstbewertung, die vom{' '}
          {t('dates.assessedFrom')} bis zum {t('dates.assessedUntil')} vorgenommen wurde.
        </p>
      </Section>

      <Section title="Alternativen und hoher Kontrast">
        <p>
          Schrift, Rahmen und Bedienelemente lassen sich mit höherem Kontrast darstellen. Die Schaltfläche dafür steht
          oben auf jeder Seite und hier:
        </p>
        <ContrastButton />
        <p>
          Kontrastdesigns des Betriebssystems, etwa von Windows, übernimmt das Portal: Was ausgewählt ist, wo sich der
          Fokus befindet, welcher Schritt der aktuelle ist und wie viel erledigt ist, bleibt auch mit ihren Farben zu
          erkennen.
        </p>
        {alternatives.length > 0 && (
          <>
            <p>Neben diesem Portal gibt es folgende Möglichkeiten:</p>
            <ul>
              {alternatives.map((alternative) => (
                <li key={alternative.title}>
                  <AlternativeWay {...alternative} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>

      <Section title="Stand der Umsetzung">
        <p>
          Dieses Portal ist mit den genannten Anforderungen <strong>teilweise vereinbar</strong>. Diese Einschränkungen
          sind bekannt:
        </p>
        <ul>
          <li>
            Fotos zu einem Zählerstand haben als Textalternative nur eine laufende Nummer. Was auf ihnen zu sehen ist,
            wird nicht beschrieben.
          </li>
          <li>
            Wer sich mit einem QR-Code anmeldet, muss ihn vor die Kamera bringen; durch Ton oder Sprache wird dabei
            nicht geführt. Die Anmeldung mit Benutzername und Passwort kommt ohne Kamera aus.
          </li>
          <li>
            In langen Zählerlisten sind nur die Zeilen vorhanden, die gerade zu sehen sind, und einige davor und
            dahinter. Vorleseprogramme und die Suche des Browsers erfassen die übrigen erst nach dem Blättern. Die Suche
            über der Liste findet alle.
          </li>
          <li>
            Hinweise, Kommentare und andere Texte, die nicht zum Portal selbst gehören, sind meist nicht mit ihrer
            Sprache ausgezeichnet. Vorleseprogramme sprechen sie in der Sprache der Oberfläche aus.
          </li>
          {features.xlsxExportEnabled && (
            <li>
              In der Excel-Datei mit den Zählern ist die Zeile mit den Überschriften der Spalten nicht als Kopfzeile
              einer Tabelle ausgezeichnet.
            </li>
          )}
          <li>Erläuterungen in Deutscher Gebärdensprache gibt es in diesem Portal nicht.</li>
        </ul>
      </Section>

      <Section title="Barrieren melden: Kontakt">
        <p>
          Sind Ihnen Barrieren in diesem Portal aufgefallen, oder haben Sie Fragen zur Barrierefreiheit? Dann wenden Sie
          sich bitte an {company}.
        </p>
        {hasDetails(contact) && (
          <dl className="statement__details">
            <Detail term="Ansprechstelle">{contact.person}</Detail>
            <Detail term="E-Mail">{contact.email && <Mail address={contact.email} />}</Detail>
            <Detail term="Telefon">{contact.phone && <Phone number={contact.phone} />}</Detail>
            <Detail term="Brief">{contact.postal}</Detail>
            <Detail term="Formular">
              {contact.form && <OutsideLink href={contact.form}>Barriere online melden</OutsideLink>}
            </Detail>
          </dl>
        )}
        <ImprintHint legal={config.legal} />
      </Section>

      <Section title="Durchsetzungsverfahren">
        <Enforcement regime={regime ?? undefined} office={officeOf(accessibility.enforcementOffice, law?.office)} />
      </Section>
    </article>
  )
}

type Office = Partial<NonNullable<Application['accessibility']['enforcementOffice']>> & { seat?: string }

/** The tenant's office, else that of its law. */
const officeOf = (own: Office | null | undefined, common: Office | undefined): Office | undefined =>
  own && hasDetails(own) ? own : common

/** Whom to turn to when the tenant does not help, which depends on the law. */
function Enforcement({ regime, office }: { regime: Regime | undefined; office: Office | undefined }) {
  const kind = regime === 'BFSG' ? 'Marktüberwachungsbehörde' : 'Durchsetzungsstelle'
  return (
    <>
      <p>
        Haben Sie auf Ihre Mitteilung oder Anfrage innerhalb von vier Wochen keine oder keine zufriedenstellende Antwort
        erhalten, können Sie sich an die {office ? 'folgende' : 'zuständige'} {kind} wenden{office ? ':' : '.'}
      </p>
      {office && (
        <dl className="statement__details">
          <Detail term="Stelle">{office.name}</Detail>
          <Detail term="Ansprechstelle">{office.contact}</Detail>
          <Detail term="E-Mail">{office.email && <Mail address={office.email} />}</Detail>
          <Detail term="Telefon">{office.phone && <Phone number={office.phone} />}</Detail>
          <Detail term="Brief">{office.postal}</Detail>
          <Detail term="Sitz">{office.seat}</Detail>
          <Detail term="Formular">
            {office.form && <OutsideLink href={office.form}>Formular der {kind}</OutsideLink>}
          </Detail>
          <Detail term="Internet">
            {office.web && <OutsideLink href={office.web}>{withoutScheme(office.web)}</OutsideLink>}
          </Detail>
        </dl>
      )}
      {regime === 'BFSG' && (
        <p>
          Diese Behörde überwacht, ob Dienstleistungen die Anforderungen des Barrierefreiheitsstärkungsgesetzes
          erfüllen, und kann verlangen, dass Mängel behoben werden.
        </p>
      )}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="statement__section">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** The button speaks the reader's language, as all buttons do. */
function ContrastButton() {
  const { t, language } = useTranslation('accessibility')
  const isHigh = useHighContrast()
  return (
    <Button className="statement__contrast" lang={locale(language)} onClick={() => chooseContrast(!isHigh)}>
      <Icon name="contrast" size={1.25} />
      <span className="button-text">{isHigh ? t('contrast.off') : t('contrast.on')}</span>
    </Button>
  )
}

type Alternative = Application['accessibility']['alternatives'][number]

function AlternativeWay({ title, description, link, text }: Alternative) {
  return (
    <>
      <strong>{title}</strong>
      <br />
      {description}
      {(link || text) && <br />}
      {link ? <OutsideLink href={link}>{text || withoutScheme(link)}</OutsideLink> : text && <Phone number={text} />}
    </>
  )
}

/** Whether anything is known of an office; the server leaves out what the tenant has not named. */
const hasDetails = <Office extends object>(office: Office | null | undefined): office is Office =>
  Object.values(office ?? {}).some(Boolean)

/** One thing that is known of an office; what is not known is left out. */
function Detail({ term, children }: { term: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ImprintHint({ legal }: { legal: Application['config']['legal'] }) {
  const { enabled, url } = legal.imprint
  if (!enabled || !url) return null
  return (
    <p>
      Weitere Angaben zum Anbieter stehen im{' '}
      {url.startsWith('/') ? <a href={url}>Impressum</a> : <OutsideLink href={url}>Impressum</OutsideLink>}.
    </p>
  )
}

const Mail = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>

/** A number to call, or the text that stands in its place. */
function Phone({ number }: { number: string }) {
  const link = phoneLink(number)
  return link ? <a href={link}>{number}</a> : number
}

const withoutScheme = (url: string) => url.replace(/^https:\/\//, '').replace(/\/$/, '')
