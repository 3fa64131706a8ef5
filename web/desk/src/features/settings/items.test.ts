import { expect, it } from 'vitest'
import type { JsonObject } from './documents.ts'
import { Items, Overtaken } from './items.ts'

const [first, second, third]: readonly [JsonObject, JsonObject, JsonObject] = [
  { text: 'one' },
  { text: 'two' },
  { text: 'three' },
]
const to = (text: string) => (item: JsonObject) => ({ ...item, text })

it('finds the item that was shown wherever it is by now', () => {
  const items = new Items()
  expect(items.without([second, third], 1, second)).toEqual([third])
  expect(items.with([{ text: 'new' }, first, second], 1, second, to('changed'))).toEqual([
    { text: 'new' },
    first,
    { text: 'changed' },
  ])
})

it('touches nothing when somebody else has changed or removed it', () => {
  const items = new Items()
  expect(() => items.without([first, third], 1, second)).toThrow(Overtaken)
  expect(() => items.with([first, { text: 'their two' }, third], 1, second, to('changed'))).toThrow(Overtaken)
})

it('takes the one at its place of two that say the same', () => {
  expect(new Items().with([first, first], 1, first, to('changed'))).toEqual([first, { text: 'changed' }])
})

it('follows what the page itself made of an item, although it shows the old one still', () => {
  const items = new Items()
  const [made = {}] = items.with([first], 0, first, to('mine'))
  // The server adds what was left out.
  const kept: JsonObject = { ...made, link: 'https://stadtwerke.example' }
  const [again = {}] = items.with([kept], 0, first, (item) => ({ ...item, title: 'Portal' }))
  expect(again).toEqual({ text: 'mine', link: 'https://stadtwerke.example', title: 'Portal' })
  expect(items.without([second, again], 0, first)).toEqual([second])
  // What is as it was before is meant no more than any other.
  const back = items.with([again], 0, again, () => first)
  expect(items.without([second, ...back], 1, first)).toEqual([second])
  expect(() => items.without([second], 0, first)).toThrow(Overtaken)
})
