import { expect, test } from 'vitest'
import { entryOf, remoteReading } from './remote.ts'

test('a reading from outside is understood, whatever the sender calls the decimal point and the billing period', () => {
  const reading = remoteReading({
    meterNumber: '1EBZ0100004711',
    results: [
      { obis: '1-0:1.8.1*255', readingValue: '00123,4' },
      { obis: '1-0:1.8.2', readingValue: 77, readingImages: [{ encodedImage: btoa('jpeg'), mimeType: 'image/jpeg' }] },
    ],
  })
  expect(reading).toMatchObject({
    meterNumber: '1EBZ0100004711',
    results: [
      { obis: '1-0:1.8.1', value: '00123.4', photos: [] },
      { obis: '1-0:1.8.2', value: '77' },
    ],
  })
  expect(reading?.results[1]?.photos.map(({ size }) => size)).toEqual([4])
})

test.each([
  undefined,
  null,
  'text',
  {},
  { results: {} },
  { results: [] },
  { results: [{}] },
  { results: [{ obis: 1 }] },
])('what is no reading is none: %j', (detail) => {
  expect(remoteReading(detail)).toBeUndefined()
})

test.each(['-1', '1e5', '1.2.3', '', 'NaN', '0x10', null])('what is no counter is left out: %j', (readingValue) => {
  expect(remoteReading({ results: [{ obis: '1-0:1.8.0', readingValue }] })?.results).toMatchObject([
    { value: undefined },
  ])
})

test('a photo that is no base64 is left out', () => {
  const results = [{ obis: '1-0:1.8.0', readingImages: [{ encodedImage: '***' }, 'x', { encodedImage: 5 }] }]
  expect(remoteReading({ results })?.results).toMatchObject([{ photos: [] }])
})

test.each([
  ['00123.45', 6, 1, { pre: '00123', post: '4', part: 'post' }],
  ['0000123', 6, 0, { pre: '123', post: '', part: 'pre' }],
  ['123.9', 6, 0, { pre: '123', post: '', part: 'pre' }],
  ['1234567', 6, 0, undefined],
])('%s in a field of %i and %i digits', (value, pre, post, entry) => {
  expect(entryOf(value, { pre, post })).toEqual(entry)
})
