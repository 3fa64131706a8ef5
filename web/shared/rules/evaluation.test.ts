import { expect, test } from 'vitest'
import {
  byYear,
  evaluationClass,
  type HistoryTask,
  historyOf,
  perDayPrecision,
  type ReadingReason,
} from './evaluation.ts'
import type { LowerReason } from './reading.ts'

const ALL = { useHistoricReadings: true, showCurrentReadings: true }

const task = (more: Partial<HistoryTask>): HistoryTask => ({
  taskId: 't',
  obis: '1-0:1.8.0',
  preDecimals: 5,
  readingEvents: [],
  readingResults: [],
  ...more,
})
const event = (readingDate: string, readingValue: string, reason?: ReadingReason) => ({
  readingDate,
  readingValue,
  ...(reason && { reason }),
})
const result = (readingDate: string, readingValue: string, lowerReason?: LowerReason, images: string[] = []) => ({
  readingDate,
  readingValue,
  lowerReason: lowerReason ?? null,
  readingResultImages: images.map((imageId) => ({ imageId })),
})
const used = (rate: HistoryTask) => historyOf(rate, ALL).map((entry) => entry.consumption)

test('a counter begins anew where the meter was exchanged or passed its last digit, and not where it fell', () => {
  const anew = (rate: HistoryTask) => historyOf(rate, ALL).map((entry) => entry.startsAnew)
  const days = ['2024-01-01', '2025-01-01'] as const
  const exchanged = [event(days[0], '99', 'METER_CHANGE'), event(days[1], '5')]
  expect(anew(task({ readingEvents: exchanged }))).toEqual([false, true])
  expect(anew(task({ readingEvents: [event(days[0], '5'), event(days[1], '99', 'INITIAL_READING')] }))).toEqual([
    false,
    true,
  ])
  expect(
    anew(task({ readingEvents: [event(days[0], '99')], readingResults: [result(days[1], '5', 'ROLLOVER')] })),
  ).toEqual([false, true])
  expect(anew(task({ readingEvents: [event(days[0], '99'), event(days[1], '5')] }))).toEqual([false, false])
})

test('consumption runs from one reading to the next, exactly', () => {
  const rate = task({
    readingEvents: [event('2025-01-01', '00100.1'), event('2024-01-01', '00099.9')],
    readingResults: [result('2025-01-11', '110.1')],
  })
  const history = historyOf(rate, ALL)
  expect(history.map(({ readingDate }) => readingDate)).toEqual(['2024-01-01', '2025-01-01', '2025-01-11'])
  expect(history.map(({ consumption }) => consumption)).toEqual([undefined, '0.2', '10'])
  expect(history[1]?.consumptionPerDay).toBeCloseTo(0.2 / 366, 12)
  expect(history[2]).toMatchObject({ reason: 'OTHER_KSA', consumptionPerDay: 1 })
})

// D-READING-5
test('digits that were not asked for are no consumption', () => {
  const after = (value: string, lowerReason?: LowerReason) =>
    historyOf(
      task({
        obis: '7-0:3.0.0',
        readingEvents: [event('2024-01-01', '01234.567')],
        readingResults: [result('2025-01-01', value, lowerReason)],
      }),
      ALL,
    )[1]
  expect(after('1234')).toMatchObject({ consumption: '0', startsAnew: false })
  expect(after('1234', 'ROLLOVER')).toMatchObject({ consumption: '0', startsAnew: false })
  expect(after('1233', 'ROLLOVER')).toMatchObject({ consumption: '99999', startsAnew: true })
  expect(after('1233')).toMatchObject({ consumption: '-1' })
  expect(after('1234.5')).toMatchObject({ consumption: '0' })
  expect(after('1235.000')).toMatchObject({ consumption: '0.433' })
  expect(after('1234.566')).toMatchObject({ consumption: '-0.001' })
})

test('of values that are written with fewer digits periods add up', () => {
  const readingEvents = ['1234.5', '1235', '1236.5'].map((value, year) => event(`202${year}-01-01`, value))
  const history = historyOf(task({ readingEvents }), ALL)
  expect(history.map(({ consumption }) => consumption)).toEqual([undefined, '0.5', '1.5'])
})

test('two readings of one day have a consumption and no average', () => {
  const rate = task({ readingResults: [result('2025-01-11', '110'), result('2025-01-11', '112')] })
  expect(historyOf(rate, ALL)[1]).toMatchObject({ consumption: '2', consumptionPerDay: undefined })
})

test.each([
  [
    'an exchanged meter',
    [event('2024-01-01', '900')],
    [result('2025-01-01', '5', 'METER_CHANGE')],
    [undefined, undefined],
  ],
  [
    'a new meter that shows more',
    [event('2024-01-01', '9')],
    [result('2025-01-01', '50', 'METER_CHANGE')],
    [undefined, undefined],
  ],
  ['a rollover', [event('2024-01-01', '99990')], [result('2025-01-01', '10', 'ROLLOVER')], [undefined, '20']],
  [
    'a first reading',
    [event('2024-01-01', '900'), event('2024-06-01', '0', 'INITIAL_READING')],
    [result('2025-01-01', '7')],
    [undefined, undefined, '7'],
  ],
  [
    'the end of an old meter',
    [event('2024-01-01', '900'), event('2024-06-01', '950', 'METER_CHANGE')],
    [result('2025-01-01', '7')],
    [undefined, '50', undefined],
  ],
  [
    'the start of a new meter',
    [event('2024-01-01', '900'), event('2024-06-01', '0', 'METER_CHANGE')],
    [result('2025-01-01', '7')],
    [undefined, undefined, '7'],
  ],
  [
    'a correction downwards',
    [event('2024-01-01', '900', 'ESTIMATED_READING')],
    [result('2025-01-01', '880')],
    [undefined, '-20'],
  ],
] as const)('%s', (_, readingEvents, readingResults, expected) => {
  expect(used(task({ readingEvents, readingResults }))).toEqual(expected)
})

test.each([
  ['2025-01-15', ['2025-01-15']],
  ['2025-01-16', ['2025-01-01', '2025-01-16']],
  ['2024-12-18', ['2024-12-18']],
  ['2024-12-17', ['2024-12-17', '2025-01-01']],
])('an estimate of 1 January beside a reading of %s', (day, shown) => {
  const rate = task({
    readingEvents: [event('2025-01-01', '5', 'ESTIMATED_READING')],
    readingResults: [result(day, '6')],
  })
  expect(historyOf(rate, ALL).map(({ readingDate }) => readingDate)).toEqual(shown)
})

test('two estimates do not make each other needless', () => {
  const estimates = [event('2025-01-01', '5', 'ESTIMATED_READING'), event('2025-01-03', '6', 'ESTIMATED_READING')]
  expect(historyOf(task({ readingEvents: estimates }), ALL)).toHaveLength(2)
})

test('a temperature is not used up', () => {
  expect(used(task({ unit: '°C', readingEvents: [event('2024-01-01', '20'), event('2025-01-01', '21')] }))).toEqual([
    undefined,
    undefined,
  ])
})

test('only the last sent reading shows its photos', () => {
  const readingResults = [result('2025-01-01', '1', undefined, ['a']), result('2025-01-02', '2', undefined, ['b', 'c'])]
  expect(historyOf(task({ readingResults }), ALL).map(({ imageIds }) => imageIds)).toEqual([[], ['b', 'c']])
})

test('the tenant decides which readings are part of it', () => {
  const rate = task({ readingEvents: [event('2024-01-01', '1')], readingResults: [result('2025-01-01', '2')] })
  const days = (settings: typeof ALL) => historyOf(rate, settings).map(({ readingDate }) => readingDate)
  expect(days({ ...ALL, useHistoricReadings: false })).toEqual(['2025-01-01'])
  expect(days({ ...ALL, showCurrentReadings: false })).toEqual(['2024-01-01'])
  const job = { done: true, meter: { meterRateTasks: [rate] } }
  expect(evaluationClass(job, ALL)).toBe('done')
  expect(evaluationClass({ ...job, done: false }, ALL)).toBe('notDone')
  expect(evaluationClass(job, { useHistoricReadings: false, showCurrentReadings: false })).toBe('withoutData')
})

test('the newest year and reading come first', () => {
  const readingEvents = [event('2023-05-01', '1'), event('2024-05-01', '2'), event('2024-11-01', '3')]
  const years = byYear(historyOf(task({ readingEvents }), ALL))
  expect(years.map(({ year, entries }) => [year, entries.map(({ readingValue }) => readingValue)])).toEqual([
    ['2024', ['3', '2']],
    ['2023', ['1']],
  ])
})

test.each([
  [0, '0'],
  [0.123456, '+0,123'],
  [0.05, '+0,0500'],
  [-0.5, '-0,500'],
  [1, '+1,00'],
  [9.876, '+9,88'],
  [10, '+10,0'],
  [99.94, '+99,9'],
  [-100, '-100'],
  [1234.5, '+1.235'],
])('%d a day', (perDay, shown) => {
  const format = new Intl.NumberFormat('de', { signDisplay: 'exceptZero', ...perDayPrecision(perDay) })
  expect(format.format(perDay)).toBe(shown)
})
