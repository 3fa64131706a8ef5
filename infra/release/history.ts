/** The versions that a stage has had, in a bucket of its own: enough to go back to any of them without a build. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteFunctionCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { each } from './each.ts'
import type { Numbers } from './shift.ts'

/** A version, and what Lambda has published it under. */
export interface Version {
  version: string
  numbers: Numbers
}

/** A version that came to answer. */
export interface Entry extends Version {
  /** The newest numbers when it did: what is newer is of a deployment that did not come to its end. Without them they are its own. */
  newest?: Numbers
}

/** How many versions are kept, the one that answers among them. */
export const KEPT = 5

/** The object with the versions, as JSON. */
const HISTORY = 'history.json'

const bundleOf = (version: string) => `${version}.tar.gz`

/** The stage's versions, the one that answers last. */
export async function read(s3: S3Client, bucket: string): Promise<Entry[]> {
  try {
    const object = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: HISTORY }))
    return JSON.parse((await object.Body?.transformToString()) ?? '')
  } catch (error) {
    if (error instanceof NoSuchKey) return []
    throw error
  }
}

async function write(s3: S3Client, bucket: string, entries: Entry[]): Promise<void> {
  const object = { Bucket: bucket, Key: HISTORY, ContentType: 'application/json', Body: JSON.stringify(entries) }
  await s3.send(new PutObjectCommand(object))
}

/** The keys of all objects. */
async function keysOf(s3: S3Client, bucket: string): Promise<string[]> {
  const keys: string[] = []
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket })) {
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []))
  }
  return keys
}

/**
 * Notes the version that answers from now on and keeps its bundle, unless it is there; then forgets what is too old, in the bucket
 * and at Lambda.
 *
 * @param bundle Makes the bundle and returns its file.
 */
export async function add(
  s3: S3Client,
  lambda: LambdaClient,
  bucket: string,
  { version, numbers }: Version,
  bundle: () => string,
): Promise<void> {
  if (!(await keysOf(s3, bucket)).includes(bundleOf(version))) {
    const file = bundle()
    const object = { Bucket: bucket, Key: bundleOf(version), ContentLength: statSync(file).size }
    await s3.send(new PutObjectCommand({ ...object, Body: createReadStream(file) }))
  }
  const others = (await read(s3, bucket)).filter((entry) => entry.version !== version)
  const names = Object.keys(numbers)
  const entries = [...others, { version, numbers, newest: await newestOf(lambda, names) }].slice(-KEPT)
  await write(s3, bucket, entries)
  const kept = new Set([HISTORY, ...entries.map((entry) => bundleOf(entry.version))])
  const old = (await keysOf(s3, bucket)).filter((key) => !kept.has(key))
  await each(old, (Key) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })))
  await each(names, (name) => forget(lambda, name, entries))
}

/** The numbers that Lambda has of a function, none if it is gone. */
async function publishedOf(lambda: LambdaClient, name: string): Promise<number[]> {
  const numbers: number[] = []
  try {
    for await (const page of paginateListVersionsByFunction({ client: lambda }, { FunctionName: name })) {
      numbers.push(...(page.Versions ?? []).map(({ Version }) => Number(Version)))
    }
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error
  }
  // `$LATEST` is none.
  return numbers.filter((number) => !Number.isNaN(number))
}

/** The newest number of each function; those that are gone have none. */
async function newestOf(lambda: LambdaClient, names: string[]): Promise<Numbers> {
  const newest = await each(names, async (name) => {
    const published = await publishedOf(lambda, name)
    return published.length === 0 ? [] : [[name, String(Math.max(...published))] as const]
  })
  return Object.fromEntries(newest.flat())
}

/** Deletes the numbers of a function that no version that is kept has, and that are older than all of those. */
async function forget(lambda: LambdaClient, name: string, entries: Entry[]): Promise<void> {
  const oldest = Math.min(...entries.flatMap(({ numbers }) => Number(numbers[name] ?? [])))
  for (const number of (await publishedOf(lambda, name)).filter((published) => published < oldest)) {
    await lambda.send(new DeleteFunctionCommand({ FunctionName: name, Qualifier: String(number) }))
  }
}

/**
 * The version to go back to: the one before the last, or the last one itself after a deployment that did not come to its end. Nothing is
 * changed by asking.
 */
export async function before(s3: S3Client, lambda: LambdaClient, bucket: string): Promise<Entry> {
  const entries = await read(s3, bucket)
  const last = entries.at(-1)
  const newest = await newestOf(lambda, Object.keys(last?.numbers ?? {}))
  const known = last?.newest ?? last?.numbers ?? {}
  const isUnfinished = Object.entries(newest).some(([name, number]) => Number(number) > Number(known[name]))
  const entry = entries.at(isUnfinished ? -1 : -2)
  if (entry === undefined) {
    throw new Error(`The stage has no version before ${last?.version ?? 'its first one'} to go back to.`)
  }
  return { ...entry, newest }
}

/** Forgets what came after a version, now that it answers again. */
export async function goneBack(s3: S3Client, bucket: string, entry: Entry): Promise<void> {
  const entries = await read(s3, bucket)
  const index = entries.findIndex(({ version }) => version === entry.version)
  await write(s3, bucket, [...entries.slice(0, index), entry])
}

/** Writes the bundle of a version into a file; whether the stage has it. */
export async function fetch(s3: S3Client, bucket: string, version: string, file: string): Promise<boolean> {
  try {
    const object = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: bundleOf(version) }))
    await pipeline(object.Body as Readable, createWriteStream(file))
    return true
  } catch (error) {
    if (error instanceof NoSuchKey) return false
    throw error
  }
}
