import { key } from './key.ts'

/** Encrypted by SQS itself, which costs nothing, or by the customer's key, of which SQS then asks once an hour. */
const encrypted =
  key === undefined ? { sqsManagedSseEnabled: true } : { kmsMasterKeyId: key, kmsDataKeyReusePeriodSeconds: 3_600 }

/** Days that a message waits for its worker, or a dead one for a person. */
const DAYS = { waiting: 4, dead: 14 }
const SECONDS_OF_A_DAY = 86_400

/** What one source could not get rid of. One for each source, because only what came from a queue can be moved back, and a purge takes everything. */
function dead(name: string): aws.sqs.Queue {
  return new aws.sqs.Queue(name, { ...encrypted, messageRetentionSeconds: DAYS.dead * SECONDS_OF_A_DAY })
}

/** A queue whose messages a worker takes that runs no longer than `timeout` seconds, and where those go that failed so often. */
function queue(source: string, timeout: number, tries: number): [waiting: aws.sqs.Queue, dead: aws.sqs.Queue] {
  const letters = dead(`${source}DeadLetters`)
  const waiting = new aws.sqs.Queue(`${source}Queue`, {
    ...encrypted,
    messageRetentionSeconds: DAYS.waiting * SECONDS_OF_A_DAY,
    // A message must not come back while it is still being worked on.
    visibilityTimeoutSeconds: 6 * timeout,
    redrivePolicy: $jsonStringify({ deadLetterTargetArn: letters.arn, maxReceiveCount: tries }),
  })
  return [waiting, letters]
}

/** Seconds that the workers may take; the worker table has the same. */
const TIMEOUT = { mailEvents: 30, runs: 900 }

/** How often a message is tried; an event may come an hour before its mail is stored, at three minutes a try. */
const TRIES = { mailEvents: 25, runs: 5 }

/** What became of mails, for the worker `mail_events`. */
export const [mailEvents, mailEventsDeadLetters] = queue('MailEvents', TIMEOUT.mailEvents, TRIES.mailEvents)

/** What has a run gone on with at once. */
export const [runQueue, runDeadLetters] = queue('Run', TIMEOUT.runs, TRIES.runs)

/** Notes of workers that the clock started and that failed twice. */
export const failedWorkers = dead('FailedWorkers')

/** Notes of workers that the clock could not start. */
export const unstartedWorkers = dead('UnstartedWorkers')
