/** The link that calls this number: none if there is more to it than a number. */
export function phoneLink(text: string): string | undefined {
  if (!/^\+?[\d\s()/.-]{5,}$/.test(text.trim())) return undefined
  // Who dials the country's code leaves out the zero in brackets.
  const digits = text.replace('(0)', '').replaceAll(/[^\d+]/g, '')
  return `tel:${digits}`
}
