import { beforeAll, beforeEach, expect, test } from 'vitest'
import { catchFocus } from '@shared/ui/catch-focus.ts'

beforeAll(catchFocus)

beforeEach(() => {
  document.body.innerHTML = `
    <main tabindex="-1">
      <h1>Geräte</h1>
      <h2>Anna Sommer</h2>
      <ul><li><button id="first">Abmelden</button></li><li><button id="second">Abmelden</button></li></ul>
      <h2>Mehmet Yilmaz</h2>
      <div data-drawn-in-sight><button id="row">Zeile</button></div>
    </main>`
})

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const focused = () => document.activeElement?.textContent

test('who removes where they are goes on from the heading above', async () => {
  find('#second')?.focus()
  find('#second')?.closest('li')?.remove()
  await expect.poll(focused).toBe('Anna Sommer')
})

test('who removes a part with its heading goes on from the heading before that', async () => {
  find('#first')?.focus()
  find('h2')?.remove()
  find('ul')?.remove()
  await expect.poll(focused).toBe('Geräte')
})

test('what comes in the place of a screen has the focus', async () => {
  find('#first')?.focus()
  const main = find('main')
  if (main) main.innerHTML = '<h1>Beendet</h1>'
  await expect.poll(focused).toBe('Beendet')
  find('h1')?.remove()
  await expect.poll(() => document.activeElement).toBe(main)
})

test('what takes the focus by itself keeps it', async () => {
  find('#first')?.focus()
  find('ul')?.remove()
  find('#row')?.focus()
  await drawn()
  expect(focused()).toBe('Zeile')
})

test('nothing happens to who pressed beside everything, or scrolled on', async () => {
  find('#first')?.focus()
  find('#first')?.blur()
  await drawn()
  find('ul')?.remove()
  await drawn()
  expect(document.activeElement).toBe(document.body)
  find('#row')?.focus()
  find('#row')?.remove()
  await drawn()
  expect(document.activeElement).toBe(document.body)
})

/** Two frames later: what has to happen has happened. */
const drawn = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })
