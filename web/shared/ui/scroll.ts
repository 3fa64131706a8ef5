/** Shows the top of the page that an element is on, and of each pane around it that scrolls. */
export function scrollToTop(element: Element | null): void {
  for (let around = element; around; around = around.parentElement) around.scrollTo({ top: 0 })
}

/** Brings into sight what answers the reader, above the notice that comes with it; the returned function stops that. */
export function showAboveNotice(element: Element | null): () => void {
  // The notice has its room on the page from the frame after this one on.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => element?.scrollIntoView({ block: 'nearest' }))
  })
  return () => cancelAnimationFrame(frame)
}
