import { useState } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { startTexts } from '@/texts/texts.ts'
import { CounterField } from './counter-field.tsx'
import { type Digits, EMPTY, valueOf } from './entry.ts'

beforeAll(async () => {
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await loadTexts(['reading'])
})

function Field({ digits, masked = 0, isKnown = true }: { digits: Digits; masked?: number; isKnown?: boolean }) {
  const [entry, setEntry] = useState(EMPTY)
  const [isLeft, setLeft] = useState(false)
  return (
    <>
      <h3 id="label">Zählerstand</h3>
      <CounterField
        entry={entry}
        onChange={setEntry}
        digits={digits}
        hasTheseDigits={isKnown}
        masked={masked}
        hidden={false}
        exactly={digits.post || undefined}
        label="Zählerstand"
        labelId="label"
        unit="m³"
        describedBy="label"
        invalid={undefined}
        onLeave={() => setLeft(true)}
      />
      <output>[{valueOf(entry)}]</output>
      <p>{isLeft ? 'verlassen' : 'offen'}</p>
    </>
  )
}

const pre = () => page.getByRole('textbox', { name: /vor dem Komma/ })
const post = () => page.getByRole('textbox', { name: /nach dem Komma/ })
const value = () => page.getByText(/^\[/)
const show = (digits: Digits, masked?: number) =>
  render(<Field digits={digits} {...(masked !== undefined && { masked })} />)

test('a comma jumps to the fraction, and Backspace in the empty fraction jumps back', async () => {
  await show({ pre: 5, post: 3 })
  await userEvent.click(pre())
  await userEvent.keyboard('00123,')
  await expect.element(post()).toHaveFocus()
  await userEvent.keyboard('45')
  await expect.element(value()).toHaveTextContent('[00123.45]')
  await userEvent.keyboard('{Backspace}{Backspace}')
  await expect.element(post()).toHaveFocus()
  await userEvent.keyboard('{Backspace}')
  await expect.element(pre()).toHaveFocus()
  await userEvent.keyboard('{Backspace}4')
  await expect.element(value()).toHaveTextContent('[00124]')
})

test('a point does the same', async () => {
  await show({ pre: 5, post: 1 })
  await userEvent.click(pre())
  await userEvent.keyboard('1.5')
  await expect.element(value()).toHaveTextContent('[1.5]')
})

test('1,5 is never 15 where no decimals are asked for', async () => {
  await show({ pre: 5, post: 0 }, 3)
  await userEvent.click(pre())
  await userEvent.keyboard('1,5')
  await expect.element(value()).toHaveTextContent('[1]')
  await expect.element(page.getByText('Bitte geben Sie nur die Ziffern vor dem Komma ein.')).toBeVisible()
})

test('a value that comes at once, as from a phone that proposes it, is read as one', async () => {
  await show({ pre: 5, post: 1 })
  await pre().fill('1234,5')
  await expect.element(value()).toHaveTextContent('[1234.5]')
  await expect.element(post()).toHaveFocus()
})

test('a pasted value goes into both parts', async () => {
  await show({ pre: 5, post: 1 })
  await userEvent.click(pre())
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', '1.234,5 m³')
  pre()
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await expect.element(value()).toHaveTextContent('[1234.5]')
})

test('letters are not taken, and more digits than the counter has neither', async () => {
  await show({ pre: 3, post: 0 })
  await userEvent.click(pre())
  await userEvent.keyboard('1a')
  await expect.element(page.getByText('Bitte geben Sie nur Ziffern ein.')).toBeVisible()
  await userEvent.keyboard('234')
  await expect.element(value()).toHaveTextContent('[123]')
  await expect.element(page.getByText('Mehr Stellen hat dieser Zähler nicht.')).toBeVisible()
})

test('of a meter that is not known it is said what is taken, and not what the counter has', async () => {
  await render(<Field digits={{ pre: 3, post: 2 }} isKnown={false} />)
  await userEvent.click(pre())
  await userEvent.keyboard('1234')
  await expect.element(page.getByText('Mehr als 3 Stellen vor dem Komma sind nicht möglich.')).toBeVisible()
  await userEvent.keyboard(',567')
  await expect.element(page.getByText('Mehr Stellen sind nicht möglich.')).toBeVisible()
})

test('Enter leaves the field', async () => {
  await show({ pre: 5, post: 3 })
  await userEvent.click(pre())
  await userEvent.keyboard('12{Enter}')
  await expect.element(pre()).not.toHaveFocus()
  await expect.element(page.getByText('verlassen')).toBeVisible()
})

test('a phone shows digits with a separator only where decimals are asked for', async () => {
  await show({ pre: 5, post: 3 })
  await expect.element(pre()).toHaveAttribute('inputmode', 'decimal')
  await show({ pre: 5, post: 0 })
  await expect.element(pre().last()).toHaveAttribute('inputmode', 'numeric')
})

test('a keyboard without key names still jumps back', async () => {
  await show({ pre: 5, post: 3 })
  await userEvent.click(pre())
  await userEvent.keyboard('12,')
  post()
    .element()
    .dispatchEvent(
      new InputEvent('beforeinput', { inputType: 'deleteContentBackward', bubbles: true, cancelable: true }),
    )
  await expect.element(pre()).toHaveFocus()
})

test('both parts belong to a named group and say how many digits they take', async () => {
  await show({ pre: 5, post: 3 })
  await expect.element(page.getByRole('group', { name: 'Zählerstand' })).toBeVisible()
  await expect.element(pre()).toHaveAccessibleDescription(/Bis zu 5 Stellen vor dem Komma, genau 3 danach\./)
})
