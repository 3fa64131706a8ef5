import { expect, test } from 'vitest'
import type { Column, Field } from '@/data/types.ts'
import {
  AS_IT_CAME,
  choiceOf,
  choose,
  fitted,
  fix,
  lacking,
  type Mapping,
  mean,
  parsed,
  strangers,
  trim,
} from './mapping.ts'

const table = ['Kunde', 'Straße', 'Nr', 'Sparte'].map(
  (name): Column => ({ name, samples: [], values: [], isTwice: false, isAdded: false }),
)
const empty: Mapping = { columns: {}, when: { 'meter.meterRateTasks[1]': 'NT' } }
const field = (name: string): Field => ({
  name,
  group: 'ITSELF',
  label: { de: name, en: name },
  isRequired: true,
  isText: true,
  options: [],
})

test('two columns of one field stand one after the other, as in the table', () => {
  const one = choose(empty, 'Nr', 'street', table)
  const both = choose(one, 'Straße', 'street', table)
  expect(both.columns).toEqual({ street: ['Straße', 'Nr'] })
  expect(choiceOf(both, 'Nr')).toBe('street')
  expect(choose(both, 'Nr', '', table).columns).toEqual({ street: 'Straße' })
  expect(both['when']).toEqual(empty['when'])
})

test('what belongs to a field goes with its column', () => {
  let mapping = choose(fix(empty, 'type', 'GAS_METER'), 'Sparte', 'type', table)
  expect(mapping.constants).toEqual({})
  mapping = trim(mean(mapping, 'type', 'Strom', 'ELECTRIC_METER'), 'type', true)
  expect(mapping.values).toEqual({ type: { Strom: 'ELECTRIC_METER' } })
  const gone = choose(mapping, 'Sparte', AS_IT_CAME, table)
  expect(gone).toMatchObject({ columns: {}, values: {}, trimLeadingZeros: [], passThrough: ['Sparte'] })
  expect(choiceOf(gone, 'Sparte')).toBe(AS_IT_CAME)
  expect(mean(mapping, 'type', 'Strom', '').values).toEqual({})
})

test('what lines need is missed once, wherever a register has it', () => {
  const fields = [
    'id',
    'meter.meterRateTasks[].obis',
    'meter.meterRateTasks[0].obis',
    'meter.meterRateTasks[1].obis',
  ].map(field)
  expect(lacking(empty, fields).map(({ name }) => name)).toEqual(['id', 'meter.meterRateTasks[].obis'])
  const mapping = fix(choose(empty, 'Kunde', 'id', table), 'meter.meterRateTasks[0].obis', '1-0:1.8.0')
  expect(lacking(mapping, fields)).toEqual([])
})

test('a mapping of another table is fitted to this one', () => {
  const other: Mapping = { columns: { id: 'Auftrag', name: ['Kunde', 'Vorname'] }, passThrough: ['Vertrag'] }
  expect(strangers(other, table)).toEqual(['Auftrag', 'Vorname', 'Vertrag'])
  expect(fitted(other, table)).toMatchObject({ columns: { name: 'Kunde' }, passThrough: [] })
  expect(parsed('{"columns": {"id": "A"}}')).toEqual({ columns: { id: 'A' } })
  expect(parsed('[]')).toBeUndefined()
  expect(parsed('{"columns": 1}')).toBeUndefined()
  expect(parsed('nothing')).toBeUndefined()
})
