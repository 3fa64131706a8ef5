/**
 * What becomes of a built version (docs/operations.md, "Versions" and "Roll back"):
 *
 *     node cli.ts pack <file>               the bundle of what was built here
 *     node cli.ts unpack <file>             a bundle in place of what was built here
 *     node cli.ts shift                     moves what answers; the deployment calls it, and says what on standard input
 *     node cli.ts back <stage>              has the version before answer at once, and prints it; after a deployment that did
 *                                           not come to its end, the one that answered until then
 *     node cli.ts fetch <stage> <version>   the stage's own copy of a version in place of what was built here
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { S3Client } from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { bucketName } from './bucket.ts'
import { pack, unpack } from './bundle.ts'
import { add, before, fetch, goneBack, type Version } from './history.ts'
import { changedSettings, moveAtOnce, moveBySteps, STEPS } from './shift.ts'

/** What the deployment tells: the version and its numbers, where versions are kept, and which alarm watches, none at once. */
export interface Release extends Version {
  bucket: string
  alarm: string | undefined
}

const root = path.resolve(import.meta.dirname, '../..')
const file = path.join(root, 'target/release.tar.gz')

// The provider has the same region.
const aws = { region: process.env['AWS_REGION'] ?? 'eu-central-1', maxAttempts: 10 }
const lambda = new LambdaClient(aws)
const s3 = new S3Client({ ...aws, forcePathStyle: true })

async function bucketOf(stage: string): Promise<string> {
  const { Account } = await new STSClient(aws).send(new GetCallerIdentityCommand({}))
  return bucketName('zaehlwerk', stage, Account ?? '')
}

async function shift(): Promise<void> {
  const { version, numbers, bucket, alarm } = (await json(process.stdin)) as Release
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const watched = { cloudwatch: new CloudWatchClient(aws), every: 15, patience: 300, signal: stop.signal }
  const moved =
    alarm === undefined
      ? await moveAtOnce(lambda, numbers)
      : await moveBySteps(lambda, numbers, STEPS, { ...watched, alarm }, console.log)
  console.log(`${version} answers; ${moved} functions were moved.`)
  await add(s3, lambda, bucket, { version, numbers }, () => {
    pack(root, file)
    return file
  })
}

async function back(stage: string): Promise<void> {
  const bucket = await bucketOf(stage)
  const entry = await before(s3, lambda, bucket)
  const changed = await changedSettings(lambda, entry.numbers)
  if (changed.length === 0) {
    const moved = await moveAtOnce(lambda, entry.numbers)
    console.error(`${entry.version} answers again; ${moved} functions were moved.`)
    await goneBack(s3, bucket, entry)
  } else {
    console.error(
      `${entry.version} has to be deployed before it answers: it has other values of ${changed.join(', ')}.`,
    )
    // Until it is deployed, it is what to go back to.
    await goneBack(s3, bucket, { ...entry, newest: entry.numbers })
  }
  console.log(entry.version)
}

async function take(stage: string, version: string): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true })
  if (!(await fetch(s3, await bucketOf(stage), version, file))) throw new Error(`${stage} has not kept ${version}.`)
  unpack(root, file)
}

const commands: Record<string, (...words: string[]) => unknown> = {
  pack: (to) => pack(root, path.resolve(to ?? file)),
  unpack: (from) => unpack(root, path.resolve(from ?? file)),
  shift,
  back: (stage = '') => back(stage),
  fetch: (stage = '', version = '') => take(stage, version),
}

const [name = '', ...words] = process.argv.slice(2)
const command = commands[name]
if (command === undefined) throw new Error(`Commands: ${Object.keys(commands).join(', ')}`)
try {
  await command(...words)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
