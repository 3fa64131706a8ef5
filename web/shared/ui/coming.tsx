import { type ComponentType, use } from 'react'

/** How long a failure is one: a later load fetches again. */
const FAILURE_MS = 1_000

/** A component that is fetched when it is shown or, before that, by `load`. */
export type Coming<Props> = ComponentType<Props> & { load: () => Promise<unknown> }

/**
 * Like `lazy`, but what was fetched ahead is shown in the same frame: `lazy` shows the fallback first in any case, and React then leaves
 * it there for 300 ms.
 */
export function coming<Props extends object>(fetch: () => Promise<ComponentType<Props>>): Coming<Props> {
  let Component: ComponentType<Props> | undefined
  let fetching: Promise<unknown> | undefined
  const fetchOnce = async () => {
    Component = await fetch()
  }
  const load = () => {
    if (fetching) return fetching
    const begun = fetchOnce()
    fetching = begun
    begun.then(
      // By this React knows without waiting that it has come.
      () => Object.assign(begun, { status: 'fulfilled' }),
      () => {
        setTimeout(() => {
          fetching = undefined
        }, FAILURE_MS)
      },
    )
    return begun
  }
  const Shown = (props: Props) => {
    use(load())
    return Component && <Component {...props} />
  }
  return Object.assign(Shown, { load })
}
