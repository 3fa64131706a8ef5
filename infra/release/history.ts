/** The versions that a stage has had, in a bucket of its own: enough to go back to any of them without a build. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DeleteFunctionCommand, type LambdaClient, paginateListVersionsByFunction } from '@aws-sdk/client-lambda'
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
export interface Entry {
  version: string
  numbers: Numbers
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
  entry: Entry,
  bundle: () => string,
): Promise<void> {
  if (!(await keysOf(s3, bucket)).includes(bundleOf(entry.version))) {
    const file = bundle()
    const object = { Bucket: bucket, Key: bundleOf(entry.version), ContentLength: statSync(file).size }
    await s3.send(new PutObjectCommand({ ...object, Body: createReadStream(file) }))
  }
  const before = (await read(s3, bucket)).filter(({ version }) => version !== entry.version)
  const entries = [...before, entry].slice(-KEPT)
  await write(s3, bucket, entries)
  const kept = new Set([HISTORY, ...entries.map(({ version }) => bundleOf(version))])
  const old = (await keysOf(s3, bucket)).filter((key) => !kept.has(key))
  await each(old, (Key) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })))
  await each(Object.keys(entry.numbers), (name) => forget(lambda, name, entries))
}

/** Deletes the numbers of a function that no version that is kept has, and that are older than all of those. */
async function forget(lambda: LambdaClient, name: string, entries: Entry[]): Promise<void> {
  const oldest = Math.min(...entries.flatMap(({ numbers }) => Number(numbers[name] ?? [])))
  for await (const page of paginateListVersionsByFunction({ client: lambda }, { FunctionName: name })) {
    const numbers = (page.Versions ?? []).flatMap(
      ({ Version }) => (Number(Version) < oldest ? Version : undefined) ?? [],
    )
    for (const Qualifier of numbers) await lambda.send(new DeleteFunctionCommand({ FunctionName: name, Qualifier }))
  }
}

/** The version before the one that answers. */
export async function before(s3: S3Client, bucket: string): Promise<Entry> {
  const entries = await read(s3, bucket)
  const entry = entries.at(-2)
  if (entry === undefined) {
    const known = entries.at(-1)?.version
    throw new Error(`The stage has no version before ${known ?? 'its first one'} to go back to.`)
  }
  return entry
}

/** Forgets the version that answered, now that the one before does. */
export async function dropLast(s3: S3Client, bucket: string): Promise<void> {
  await write(s3, bucket, (await read(s3, bucket)).slice(0, -1))
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
