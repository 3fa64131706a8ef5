/** An uncaught error: it was thrown, or a promise was rejected with it. */
export type Uncaught = ErrorEvent | PromiseRejectionEvent

/** What tells of one; it never rejects. */
export type Report = (uncaught: Uncaught) => Promise<void>

/** Has uncaught errors told. What tells them is fetched with the first one, so that it costs a page without errors nothing. */
export function watchErrors(load: () => Promise<{ report: Report }>): void {
  const tell = (event: Uncaught) =>
    load().then(
      ({ report }) => report(event),
      () => undefined,
    )
  addEventListener('error', tell)
  addEventListener('unhandledrejection', tell)
}
