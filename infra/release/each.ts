/** How many calls are under way at once: Lambda takes fifteen changes a second, and what it refuses is tried again. */
const AT_ONCE = 8

/** Does this with each item, some at once; all are tried, and then the first error is thrown. */
export async function each<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const errors: unknown[] = []
  const left = [...items.entries()]
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next
      try {
        results[index] = await work(item)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (errors.length > 0) throw errors[0]
  return results
}
