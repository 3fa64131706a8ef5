/** Shows the top of the page that an element is on, and of each pane around it that scrolls. */
export function scrollToTop(element: Element | null): void {
  for (let around = element; around; around = around.parentElement) around.scrollTo({ top: 0 })
}
