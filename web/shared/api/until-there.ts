/** Between two attempts. */
const RETRY_MS = 5_000

/** Fetches something, however long the network takes to be there. */
export async function untilThere<T>(fetch: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await fetch()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
