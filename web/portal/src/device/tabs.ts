/** The portal's tabs among each other. A browser that keeps nothing for the portal keeps them apart, too: each is then by itself (D-PORTAL-18). */

/** Where one tab tells the others something. */
export interface Channel<Message> {
  readonly tell: (message: Message) => void
  /** Hears what other tabs tell, in order. */
  readonly listen: (listener: (message: Message) => void) => void
}

/** The channel of a name. */
export function channelOf<Message>(name: string): Channel<Message> {
  try {
    const channel = new BroadcastChannel(name)
    return {
      tell: (message) => channel.postMessage(message),
      listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data)),
    }
  } catch {
    return { tell: () => undefined, listen: () => undefined }
  }
}

/** By name, the last turn of this page, where tabs have none among each other. */
const turns = new Map<string, Promise<unknown>>()

/** Does the work when its turn comes: one at a time under a name, among all tabs. */
export async function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  let isOurs = false
  try {
    return await navigator.locks.request(name, () => {
      isOurs = true
      return work()
    })
  } catch (error) {
    if (isOurs || !(error instanceof DOMException && error.name === 'SecurityError')) throw error
  }
  const turn = (turns.get(name) ?? Promise.resolve()).then(work)
  turns.set(
    name,
    turn.catch(() => undefined),
  )
  return turn
}
