/** The text that heads a rate: it says "feed-in" unless the rate's own name does. */
export function labelKey(rate: {
  readonly isFeedIn: boolean
  readonly name: string | undefined
}): 'value.label' | 'value.labelFeedIn' {
  return rate.isFeedIn && !/einspeis|feed/i.test(rate.name ?? '') ? 'value.labelFeedIn' : 'value.label'
}
