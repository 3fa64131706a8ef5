/** One step of the load: reads what to send from standard input, sends it, and prints what came of it, both as JSON. */
import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { Season } from './mix.js'

const { url, connections, amount, people, photo, day, table } = await json(process.stdin)
const season = new Season({ photo, day })

/** The table alone: a transaction of as many items as a reading has. */
function transaction() {
  return {
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.TransactWriteItems',
      // The emulator asks for a signature and does not look at it.
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    setupRequest(request) {
      const pk = { S: `BENCH#${randomUUID()}` }
      const put = (sk) => ({ Put: { TableName: table, Item: { pk, sk: { S: sk }, text: { S: 'x'.repeat(700) } } } })
      return { ...request, body: JSON.stringify({ TransactItems: ['1', '2', '3', '4', '5'].map(put) }) }
    },
    onResponse: (status, body) => season.note(status, body, 'transaction'),
  }
}

let clients = 0
const begin = performance.now()
let end = begin
const load = autocannon({
  url,
  connections,
  amount,
  timeout: 60,
  setupClient(client) {
    // Each begins elsewhere in the mix.
    client.setRequests(table ? [transaction()] : season.of(people[clients], clients++))
  },
})
load.on('response', () => (end = performance.now()))
const { errors, timeouts, latency, requests } = await load
console.log(
  JSON.stringify({
    accepted: season.accepted,
    refused: season.refused,
    errors,
    timeouts,
    p50: latency.p50,
    p99: latency.p99,
    // Autocannon says whole seconds.
    duration: (end - begin) / 1000,
    sent: requests.total,
  }),
)
