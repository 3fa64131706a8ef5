/** The demo tenant's day, so many days from today: near midnight it is another one than that of the machine. */
export const day = (offset = 0): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now() + offset * 86_400_000)
