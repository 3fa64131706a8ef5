/**
 * Readers who send the season's mix, each one request a second for so many seconds: reads who from standard input, and prints what
 * came of it, both as JSON. `times` are those of the answers, in ms.
 */
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Season } from './mix.js'

const { url, seconds, people, photo, day } = await json(process.stdin)
const season = new Season({ photo, day })
const times = []

/** One after the other within a second, because a client of autocannon sends at a second's beginning what it sends in it. */
async function read(person, n) {
  await setTimeout((n * 1000) / people.length)
  const reading = autocannon({
    url,
    connections: 1,
    overallRate: 1,
    // It would add answers that never were, by a rate a millisecond.
    ignoreCoordinatedOmission: true,
    amount: seconds,
    timeout: 60,
    requests: season.of(person, n),
  })
  reading.on('response', (_client, _status, _bytes, time) => times.push(time))
  return reading
}

const results = await Promise.all(people.map(read))
const errors = results.reduce((sum, result) => sum + result.errors, 0)
const { accepted, refused, waiting } = season
console.log(JSON.stringify({ accepted, refused, waiting, times, errors }))
