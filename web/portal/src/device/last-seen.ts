/**
 * Answers as last seen, so that the installed portal opens without a network. They belong to people: logging out deletes
 * all but what everybody may see.
 */
import { ApiError, isPage } from '@shared/api/client.ts'
import { database } from './db.ts'
import { pause } from './pause.ts'

/** A network that takes longer gets the answer that is there already. */
const PATIENCE_MS = 3_000

/** Fetches what everybody may see; without a network, or from a server that is out of order, it is what was seen last. */
export function lastSeen<T>(key: string, fetch: () => Promise<T>): Promise<T> {
  const seen = read(key) as Promise<T | undefined>
  const fresh = fetch().then((answer) => {
    void write(key, answer)
    return answer
  })
  const fallback = async (error: unknown) => {
    const answer = await seen
    if (answer !== undefined && error instanceof ApiError && isPassing(error)) return answer
    throw error
  }
  const late = pause(PATIENCE_MS).then(async () => (await seen) ?? fresh)
  return Promise.race([fresh.catch(fallback), late])
}

const isPassing = ({ status }: ApiError) => status === undefined || status === 429 || status >= 500

const LOGO = 'logo'

interface KeptLogo {
  address: string
  type: string
  bytes: ArrayBuffer
}

/** Keeps the tenant's logo, which a page has just shown, unless it is kept already. */
export async function keepLogo(address: string): Promise<void> {
  const kept = (await read(LOGO)) as KeptLogo | undefined
  if (kept?.address === address) return
  const answer = await fetch(address, { cache: 'force-cache' }).catch(() => undefined)
  if (!answer?.ok || isPage(answer.headers)) return
  const logo: KeptLogo = {
    address,
    type: answer.headers.get('content-type') ?? '',
    bytes: await answer.arrayBuffer(),
  }
  await write(LOGO, logo)
}

/** The logo as it was shown last; undefined when it never was. */
export async function readLogo(): Promise<Blob | undefined> {
  const kept = (await read(LOGO)) as KeptLogo | undefined
  return kept && new Blob([kept.bytes], { type: kept.type })
}

let last: Promise<unknown> = Promise.resolve()

/** What is seen is kept as far as there is room; it can be fetched again. */
export function inBackground(task: () => Promise<unknown>): Promise<void> {
  const turn = last.then(task).then(
    () => undefined,
    () => undefined,
  )
  last = turn
  return turn
}

async function read(key: string): Promise<unknown> {
  try {
    return await (await database()).get('answers', key)
  } catch {
    return undefined
  }
}

const write = (key: string, answer: unknown): Promise<void> =>
  inBackground(async () => (await database()).put('answers', answer, key))
