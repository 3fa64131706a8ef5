/**
 * A flood at one tenant: half of it tries passwords, half calls a customer's list. Reads what to send from the first line of standard
 * input, goes on until that closes, and prints who answered how many calls.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'

const input = createInterface(process.stdin)
const [line] = await once(input, 'line')
const { url, host, tenant, token, rate, addresses } = JSON.parse(line)
const closed = once(input, 'close')

/** Autocannon sends at a second's beginning what it sends in it: the more clients begin one after the other, the more even it is. */
const CLIENTS = 10
const CONNECTIONS = 6

const answered = { firewall: 0, gateway: 0, functions: 0, nobody: 0 }
let calls = 0

function request(more) {
  return {
    setupRequest: (request) => ({ ...request, ...more(calls++) }),
    onResponse(_status, body) {
      answered[body === '' ? 'firewall' : body === '{"message":"Too Many Requests"}' ? 'gateway' : 'functions'] += 1
    },
  }
}

/** The so-manieth call's address, of the network for benchmarks. */
function from(call, headers) {
  const address = call % addresses
  return { ...headers, host, 'x-viewer-address': `198.19.${address >> 8}.${address & 255}` }
}

const guess = request((call) => ({
  method: 'POST',
  path: '/auth/token',
  headers: from(call, { 'content-type': 'application/json' }),
  body: JSON.stringify({ applicationId: tenant, username: `guessed-${call}`, password: 'guessed-at' }),
}))
const list = request((call) => ({
  method: 'GET',
  path: '/api/pro/job',
  headers: from(call, { authorization: `Bearer ${token}` }),
}))

const floods = []
while (floods.length < CLIENTS) {
  const flood = autocannon({
    url,
    connections: CONNECTIONS,
    overallRate: rate / CLIENTS,
    ignoreCoordinatedOmission: true,
    duration: 3600,
    timeout: 60,
    requests: [guess, list],
  })
  floods.push({ flood })
  await setTimeout(1000 / CLIENTS)
}
await closed
for (const { flood } of floods) flood.stop()
const results = await Promise.all(floods.map(({ flood }) => flood))
answered.nobody = results.reduce((sum, result) => sum + result.errors, 0)
console.log(JSON.stringify(answered))
