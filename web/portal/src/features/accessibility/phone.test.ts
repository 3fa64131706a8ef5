import { expect, test } from 'vitest'
import { phoneLink } from './phone.ts'

test.each([
  ['0800 555 0142', 'tel:08005550142'],
  ['+49 (0) 30 / 123-456', 'tel:+4930123456'],
  ['(030) 12 34 56', 'tel:030123456'],
])('%s is called by %s', (text, link) => {
  expect(phoneLink(text)).toBe(link)
})

test.each(['', 'am Schalter', '0800 555 0142 (Mo. bis Fr. 7 bis 19 Uhr)', '110 oder 112', '()-.  '])(
  '"%s" is no number to call',
  (text) => {
    expect(phoneLink(text)).toBeUndefined()
  },
)
