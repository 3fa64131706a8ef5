import { expect, it } from 'vitest'
import { at, differences, isOfMails, withAt, withText } from './documents.ts'
import { meterOf, newSubType, pathOf } from './visitor-meters.ts'

it('changes one place of a document and leaves the others', () => {
  const document = { name: 'Stadtwerke', theme: { primaryColor: '#1c6b45', headerColor: '#14523a' } }
  const changed = withAt(document, 'theme.primaryColor', '#000000')
  expect(changed).toEqual({ name: 'Stadtwerke', theme: { primaryColor: '#000000', headerColor: '#14523a' } })
  expect(at(changed, 'theme.headerColor')).toBe('#14523a')
  expect(at(changed, 'name.first')).toBeUndefined()
  expect(withAt({}, 'desk.reminders.automatic', true)).toEqual({ desk: { reminders: { automatic: true } } })
  expect(withAt(changed, 'name', undefined)).toEqual({ theme: changed['theme'] })
})

it('names what is different by its place', () => {
  expect(differences('{"a":{"b":1,"c":[1]}}', '{"a":{"b":2,"c":[1,2]}}')).toEqual([
    { path: 'a.b', before: '1', after: '2' },
    { path: 'a.c[2]', before: undefined, after: '2' },
  ])
  expect(differences('# Hilfe', undefined)).toEqual([{ path: '', before: '# Hilfe', after: undefined }])
  expect(differences('{"a":1}', '{ "a": 1 }')).toEqual([])
})

it('keeps texts sorted, and takes an empty one out', () => {
  expect(withText({ 'mail.regards': 'Moin' }, 'home.welcome', 'Hallo')).toBe(
    '{"home.welcome":"Hallo","mail.regards":"Moin"}',
  )
  expect(withText({ 'mail.regards': 'Moin' }, 'mail.regards', ' ')).toBe('{}')
  expect(['mail.regards', 'letter.text', 'mails.title'].filter(isOfMails)).toEqual(['mail.regards', 'letter.text'])
})

it('gives each kind of meter an id of its own', () => {
  const there = [{ subType: 'GAS_METER_2' }]
  expect(newSubType('GAS_METER', 'Neu', 'Verbrauch', there)['subType']).toBe('GAS_METER_3')
  expect(newSubType('GAS_METER', 'Neu', 'Verbrauch', [])['subType']).toBe('GAS_METER_1')
  const document = withAt({}, pathOf('GAS_METER'), { defaultMeterConfig: {} })
  expect(meterOf(document, 'GAS_METER')).toEqual({ defaultMeterConfig: {} })
  expect(meterOf(document, 'HEAT_METER')).toBeUndefined()
})
