import { expect, test } from 'vitest'
import { differences } from './documents.ts'
import { GROUPS } from './groups.ts'
import { placeName } from './place-name.ts'

/** Says the key itself, and with what it is filled in. */
const t = ((key: string, values?: Record<string, unknown>) =>
  values ? `${key} ${Object.values(values).join(' ')}` : key) as never
const named = (file: string, path: string) => {
  const name = placeName({ t, common: t, exports: t }, file, path)
  return name && [name.part, ...name.labels].join(' > ')
}

test('every setting with a field of its own is called as its field', () => {
  for (const [group, paths] of Object.entries(GROUPS))
    for (const path of paths) expect(named('tenant.json', path)).toBe(`portal > group.${group} > field.${path}`)
})

test('a difference is called as its field, wherever it has one', () => {
  const meter = { defaultMeterConfig: { meterRateConfigs: [{ obis: '1-0:1.8.0' }] } }
  const sub = { subTypeMeterConfigs: [{ meterConfig: { defaultMeterReadingConfig: { preDecimals: 6 } } }] }
  const after = {
    desk: {
      letter: { footer: ['one', 'two'] },
      exports: { scheduled: [{ hour: 6 }] },
      market: { gas: { role: 'NB' } },
    },
    unknownReading: { meters: { GAS_METER: { ...meter, ...sub } } },
    accessibility: { legals: [{ text: 'BITV' }], enforcementOffice: { web: 'https://example.org' } },
    plausibility: 1,
  }
  const before = { desk: { letter: { footer: ['one', '2'] } } }
  const found = differences(JSON.stringify(before), JSON.stringify(after))
  expect(found.map(({ path }) => named('tenant.json', path) ?? path)).toEqual([
    'accessibility > office > statementField.office.web',
    'accessibility > statement > legals',
    'exports > scheduledNumber 1 > hour',
    'portal > group.letters > field.desk.letter.footer 2',
    'exports > market > medium.gas > partner.role',
    'plausibility',
    'visitors > meterType.GAS_METER > ratePlace 1 > rateField.obis',
    'visitors > meterType.GAS_METER > subTypePlace 1 > digits.preDecimals',
  ])
})

test('texts of mails and letters are called as their fields, those of the portal by their key', () => {
  expect(named('translations/de-FORMAL.json', 'mail.invitation.subject')).toBe(
    'mails > mailKinds.INVITATION > mailText.subject',
  )
  expect(named('translations/de-FORMAL.json', 'mail.closing')).toBe('mails > commonTexts > mailText.closing')
  expect(named('translations/de-FORMAL.json', 'letter.text')).toBe('mails > mailKinds.LETTER > mailText.text')
  expect(named('translations/de-FORMAL.json', 'start.title')).toBe('texts > start.title')
  expect(named('contact.json', '[2].path')).toBe('contact > contactOf 2 > contactPath')
  expect(named('exports.json', 'kommunal')).toBeUndefined()
})
