import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { AccountInfo, Job } from '@shared/contract/types.ts'
import type { OutboxEntry } from './entry.ts'

/** A logged-in account as it outlives the page. The access token is not part of it: it stays in memory. */
export interface StoredSession {
  accountId: string
  /** The user name at login; null after a login by link. */
  username: string | null
  /** Through which kind of login the session began. */
  login: 'credentials' | 'token'
  roles: string[]
  refreshToken: string
  /** When it began or was renewed last, by the device's clock; absent until then where an earlier version of the portal stored it. */
  renewed?: number
  info: AccountInfo
}

/** A photo that belongs to a draft or to an entry of the outbox. */
export interface StoredPhoto {
  id: string
  accountId: string
  /** The JPEG file; not a Blob, which some browsers cannot keep in every mode. */
  bytes: ArrayBuffer
  /** Under which the photo store has it, once it does. */
  uploadId?: string
}

/** What was typed for a job and not sent. */
export interface StoredDraft {
  accountId: string
  jobId: string
  /** The form's own record, with photos left out. */
  content: unknown
  photoIds: string[]
}

/** One product, one database. An origin is one tenant's. */
export interface ProductSchema extends DBSchema {
  sessions: { key: string; value: StoredSession }
  outbox: { key: number; value: OutboxEntry; indexes: { key: string } }
  photos: { key: string; value: StoredPhoto }
  drafts: { key: [accountId: string, jobId: string]; value: StoredDraft }
  /** The jobs as last seen. */
  jobs: { key: [accountId: string, jobId: string]; value: Job }
  /** Answers as last seen, by SWR key; the tag of an account's jobs is one of them. */
  answers: { key: string; value: unknown }
}

let connection: Promise<IDBPDatabase<ProductSchema>> | undefined
let isThisPages = false

/** Whether what is kept is gone with the page. */
export const keepsNothing = (): boolean => isThisPages

/** Opens the database. A browser that refuses, which one does that may keep nothing for a site, has one that is this page's alone (D-PORTAL-18). */
export async function startDatabase(): Promise<void> {
  try {
    await database()
  } catch {
    await import('fake-indexeddb/auto')
    isThisPages = true
    await database()
  }
}

/** Opens the database, once a page. */
export function database(): Promise<IDBPDatabase<ProductSchema>> {
  connection ??= openDB<ProductSchema>('zaehlwerk', 1, {
    upgrade: (db) => {
      db.createObjectStore('sessions', { keyPath: 'accountId' })
      db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true }).createIndex('key', 'key', {
        unique: true,
      })
      db.createObjectStore('photos', { keyPath: 'id' })
      db.createObjectStore('drafts', { keyPath: ['accountId', 'jobId'] })
      db.createObjectStore('jobs', { keyPath: ['login', 'id'] })
      db.createObjectStore('answers')
    },
    // A newer version of the portal in another tab must not wait for this one.
    blocking: () => {
      void connection?.then((db) => db.close())
      connection = undefined
    },
    terminated: () => {
      connection = undefined
    },
  })
  connection.catch(() => {
    connection = undefined
  })
  return connection
}
