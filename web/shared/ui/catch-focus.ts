/** Who is where something goes away stays there: browsers let the focus fall back to the beginning of the page. */

const HEADINGS = 'h1, h2, h3'

/** Catches the focus for as long as the page is there: it goes to the nearest heading before what had it, else to the screen. */
export function catchFocus(): void {
  let held: Element | undefined
  /** The headings before it, the nearest first. */
  let above: readonly HTMLElement[] = []

  const hold = (element: Element | null) => {
    // A row that was scrolled out of sight is not gone.
    held = element?.closest('[data-drawn-in-sight]') ? undefined : (element ?? undefined)
    above = [...document.querySelectorAll<HTMLElement>(HEADINGS)]
      .filter((heading) => held && heading.compareDocumentPosition(held) & Node.DOCUMENT_POSITION_FOLLOWING)
      .toReversed()
  }
  const isLost = () => held?.isConnected === false && document.activeElement === document.body

  function give() {
    if (!isLost()) return
    held = undefined
    const main = document.querySelector('main')
    for (const place of [...above, main?.querySelector<HTMLElement>(HEADINGS), main]) {
      if (place?.hasAttribute('tabindex') === false) place.tabIndex = -1
      place?.focus({ preventScroll: true })
      if (document.activeElement === place) return
    }
  }

  hold(document.activeElement)
  document.addEventListener('focusin', ({ target }) => target instanceof Element && hold(target))
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // Who pressed beside everything wants to be nowhere.
    queueMicrotask(() => {
      const hasLeft = target === held && relatedTarget === null && document.activeElement === document.body
      if (hasLeft && held?.isConnected) hold(null)
    })
  })
  // What comes in its place may take the focus by itself.
  new MutationObserver(() => isLost() && requestAnimationFrame(give)).observe(document.body, {
    childList: true,
    subtree: true,
  })
}
