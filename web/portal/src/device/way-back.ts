type Guard = (event: PopStateEvent) => void

let guard: Guard | undefined

// Listeners of a window are called in the order in which they came, and this one has to come before the router's.
window.addEventListener('popstate', (event) => guard?.(event))

/** Hears first of the browser's way back, and may keep it from the router, until the function that it returns is called. */
export function guardWayBack(by: Guard): () => void {
  guard = by
  return () => {
    guard = undefined
  }
}
