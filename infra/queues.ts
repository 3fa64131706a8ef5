/** Encrypted by SQS itself, which costs nothing. */
const encrypted = { sqsManagedSseEnabled: true }

/** Days that a message waits for its worker, or a dead one for a person. */
const DAYS = { waiting: 4, dead: 14 }
const SECONDS_OF_A_DAY = 86_400

/** Whatever a worker could not deal with: messages that failed five times, and runs that failed. */
export const deadLetters = new aws.sqs.Queue('DeadLetters', {
  ...encrypted,
  messageRetentionSeconds: DAYS.dead * SECONDS_OF_A_DAY,
})

/** A queue whose messages a worker takes that runs no longer than `timeout` seconds. */
export function queue(name: string, timeout: number): aws.sqs.Queue {
  return new aws.sqs.Queue(name, {
    ...encrypted,
    messageRetentionSeconds: DAYS.waiting * SECONDS_OF_A_DAY,
    // A message must not come back while it is still being worked on.
    visibilityTimeoutSeconds: 6 * timeout,
    redrivePolicy: $jsonStringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount: 5 }),
  })
}

/** Seconds that the worker of runs may take; the worker table has the same. */
const RUN_TIMEOUT = 900

/** What has a run gone on with at once. */
export const runQueue = queue('RunQueue', RUN_TIMEOUT)
