/** What people call a place of a file: where its field stands, and what the field is called. */
import type { Translate } from '@shared/i18n/i18n.ts'
import type { SettingsPart } from '@/data/paths.ts'
import { CONTACT_FILE, LOGO_FILE, REHEARSAL, TENANT_FILE } from './documents.ts'
import { GROUPS, type Path } from './groups.ts'
import { MAIL_KINDS } from './mail-kinds.ts'
import type { Name as MailText } from './own-text-field.tsx'
import type { Medium } from './visitor-meters.ts'

interface Texts {
  t: Translate<'settings'>
  common: Translate
  exports: Translate<'exports'>
}

/** The part of the settings, then what leads from there to the field, whose label is last. */
export interface PlaceName {
  readonly part: SettingsPart
  readonly labels: readonly string[]
}

/** What a place with these numbers and names is called, of a file that the rule is for. */
type Rule = readonly [path: RegExp, name: (texts: Texts, found: readonly string[]) => PlaceName]

const groupOf = (path: string) =>
  (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).find((group) => (GROUPS[group] as readonly string[]).includes(path))

const METER = '(?:defaultMeterConfig|subTypeMeterConfigs\\[(\\d+)\\]\\.meterConfig)'
const ofMeter = (path: string) => new RegExp(`^unknownReading\\.meters\\.(\\w+)\\.${METER}\\.${path}$`)
const visitors = ({ t, common }: Texts, medium = '', subType: string | undefined, ...labels: string[]): PlaceName => ({
  part: 'visitors',
  labels: [
    common(`meterType.${medium as Medium}`),
    ...(subType === undefined ? [] : [t('subTypePlace', { number: Number(subType) })]),
    ...labels,
  ],
})
const numbered = (label: string, number: string | undefined) => `${label} ${number ?? ''}`

const OF_TENANT: readonly Rule[] = [
  [new RegExp(`^${REHEARSAL}$`), ({ t }) => ({ part: 'portal', labels: [t('rehearsal')] })],
  [
    /^theme\.(headerColor|primaryColor)$/,
    ({ t }, [name]) => ({ part: 'look', labels: [t('colors'), t(`color.${name as 'headerColor'}`)] }),
  ],
  [
    /^unknownReading\.validation\.(?:meterNumber\.)?(meterNumberM\w+Length|readingDateMaxDaysIn\w+)$/,
    ({ t }, [name]) => ({ part: 'visitors', labels: [t(`limit.${name as 'meterNumberMinLength'}`)] }),
  ],
  [
    ofMeter('meterRateConfigs\\[(\\d+)\\]\\.(obis|obisLabel|rateName)'),
    (texts, [medium, subType, place, name]) =>
      visitors(
        texts,
        medium,
        subType,
        texts.t('ratePlace', { number: Number(place) }),
        texts.t(`rateField.${name as 'obis'}`),
      ),
  ],
  [
    ofMeter('defaultMeterReadingConfig\\.(preDecimals|postDecimals)'),
    (texts, [medium, subType, name]) => visitors(texts, medium, subType, texts.t(`digits.${name as 'preDecimals'}`)),
  ],
  [
    ofMeter('defaultMeterReadingConfig\\.(queryPostDecimals|isReadingImageAllowed|isReadingImageRequired)'),
    (texts, [medium, subType, name]) =>
      visitors(texts, medium, subType, texts.t(`readingSwitch.${name as 'queryPostDecimals'}`)),
  ],
  [
    /^unknownReading\.meters\.(\w+)\.subTypeMeterConfigs\[(\d+)\]\.(subTypeLabel|subTypeDescription)$/,
    (texts, [medium, subType, name]) => visitors(texts, medium, subType, texts.t(`subType.${name as 'subTypeLabel'}`)),
  ],
  [
    /^unknownReading\.readingReasons\[(\d+)\]\.(labelDE|labelEN|hintDE|hintEN)$/,
    ({ t }, [place, name]) => ({
      part: 'visitors',
      labels: [numbered(t('reasons'), place), t(`reasonField.${name as 'labelDE'}`)],
    }),
  ],
  [
    /^accessibility\.(companyName|mainUrl)$/,
    ({ t }, [name]) => ({ part: 'accessibility', labels: [t('statement'), t(`statementField.${name as 'mainUrl'}`)] }),
  ],
  [
    /^accessibility\.(regime|legals|customContent)(?:\[(\d+)\]\.text)?$/,
    ({ t }, [name]) => ({ part: 'accessibility', labels: [t('statement'), t(name as 'regime')] }),
  ],
  [
    /^accessibility\.contact\.(person|email|phone|postal|form)$/,
    ({ t }, [name]) => ({
      part: 'accessibility',
      labels: [t('barriers'), t(`statementField.contact.${name as 'person'}`)],
    }),
  ],
  [
    /^accessibility\.enforcementOffice\.(name|contact|postal|email|phone|form|web)$/,
    ({ t }, [name]) => ({ part: 'accessibility', labels: [t('office'), t(`statementField.office.${name as 'name'}`)] }),
  ],
  [
    /^accessibility\.alternatives\[(\d+)\]\.(title|description|link|text)$/,
    ({ t }, [place, name]) => ({
      part: 'accessibility',
      labels: [t('alternativeNumber', { number: Number(place) }), t(`alternative.${name as 'title'}`)],
    }),
  ],
  [
    /^desk\.exports\.scheduled\[(\d+)\]\.(what|season|preset|every|day|hour)$/,
    ({ t, exports }, [place, name]) => {
      const labels = {
        what: exports('list'),
        season: exports('season'),
        preset: exports('preset'),
        every: t('rhythm'),
        day: t('day'),
        hour: t('hour'),
      }
      return {
        part: 'exports',
        labels: [t('scheduledNumber', { number: Number(place) }), labels[name as keyof typeof labels]],
      }
    },
  ],
  [/^desk\.exports\.announced$/, ({ t }) => ({ part: 'exports', labels: [t('announced'), t('announce')] })],
  [/^webhook\.url$/, ({ t }) => ({ part: 'exports', labels: [t('webhook'), t('webhookUrl')] })],
  [/^webhook\.paused$/, ({ t }) => ({ part: 'exports', labels: [t('webhook'), t('webhookPaused')] })],
  [
    /^desk\.market\.(electricity|gas)\.(sender|role|recipient|recipientRole)$/,
    ({ t }, [medium, name]) => ({
      part: 'exports',
      labels: [t('market'), t(`medium.${medium as 'gas'}`), t(`partner.${name as 'sender'}`)],
    }),
  ],
]

const OF_CONTACT: readonly Rule[] = [
  [
    /^\[(\d+)\]\.(language|path|text)$/,
    ({ t }, [place, name]) => {
      const labels = { language: t('language'), path: t('contactPath'), text: t('contactText') }
      return {
        part: 'contact',
        labels: [t('contactOf', { number: Number(place) }), labels[name as keyof typeof labels]],
      }
    },
  ],
]

const OF_TEXTS: readonly Rule[] = [
  [
    /^mail\.(?:(\w+)\.)?(\w+)$/,
    ({ t }, [kind, name]) => {
      const kinds = Object.keys(MAIL_KINDS) as (keyof typeof MAIL_KINDS)[]
      const known = kinds.find((one) => MAIL_KINDS[one] === kind)
      return {
        part: 'mails',
        labels: [t(known ? `mailKinds.${known}` : 'commonTexts'), t(`mailText.${name as MailText}`)],
      }
    },
  ],
  [
    /^letter\.(\w+)$/,
    ({ t }, [name]) => ({ part: 'mails', labels: [t('mailKinds.LETTER'), t(`mailText.${name as MailText}`)] }),
  ],
  [/^(.+)$/, (_, [key = '']) => ({ part: 'texts', labels: [key] })],
]

function rulesOf(file: string): readonly Rule[] {
  if (file === TENANT_FILE) return OF_TENANT
  if (file === CONTACT_FILE) return OF_CONTACT
  return file.startsWith('translations/') ? OF_TEXTS : []
}

/** What a place is called, counted from 1 where it is one of several; nothing where it has no field. */
export function placeName(texts: Texts, file: string, path: string): PlaceName | undefined {
  const { t } = texts
  if (file === LOGO_FILE) return { part: 'look', labels: [t('logo')] }
  if (file.startsWith('help/')) return { part: 'help', labels: [t('help')] }
  const [, setting = path, place] = /^(.*?)(?:\[(\d+)\])?$/.exec(path) ?? []
  const group = file === TENANT_FILE ? groupOf(setting) : undefined
  if (group) {
    const label = t(`field.${setting as Path}`)
    return { part: 'portal', labels: [t(`group.${group}`), place === undefined ? label : numbered(label, place)] }
  }
  for (const [pattern, name] of rulesOf(file)) {
    const found = pattern.exec(path)
    if (found) return name(texts, found.slice(1))
  }
  return undefined
}
