import { type ComponentType, use } from 'react'

/** How long a failure is one: whoever comes again later has another chance. */
const FAILURE_MS = 1_000

/** A component that is fetched when it is shown or, before that, by `load`. */
export type Coming<Props> = ComponentType<Props> & { load: () => Promise<void> }

/**
 * Like `lazy`, but what was fetched ahead is shown in the same frame: `lazy` shows the fallback first in any case, and React then leaves
 * it there for 300 ms.
 */
export function coming<Props extends object>(fetch: () => Promise<ComponentType<Props>>): Coming<Props> {
  let Component: ComponentType<Props> | undefined
  let fetching: Promise<void> | undefined
  const fetchOnce = async () => {
    Component = await fetch()
  }
  const load = () => {
    if (fetching) return fetching
    fetching = fetchOnce()
    fetching.catch(() => {
      setTimeout(() => {
        fetching = undefined
      }, FAILURE_MS)
    })
    return fetching
  }
  const Shown = (props: Props) => {
    if (!Component) use(load())
    return Component && <Component {...props} />
  }
  return Object.assign(Shown, { load })
}
