import type { Page } from '@playwright/test'

/** The demo tenant's day, so many days from today: near midnight it is another one than that of the machine. */
export const day = (offset = 0): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now() + offset * 86_400_000)

/** Has the clock of a page's device be wrong by so many hours; only what is loaded from then on. */
export const setClockWrong = (page: Page, hours: number): Promise<unknown> =>
  page.addInitScript((wrong) => {
    const Right = Date
    globalThis.Date = class extends Right {
      constructor(...given: [] | [number | string | Date]) {
        super(given.length === 0 ? Right.now() + wrong : given[0])
      }
      static override now = () => Right.now() + wrong
    } as DateConstructor
  }, hours * 3_600_000)
