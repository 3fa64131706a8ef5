/**
 * One step of the load: reads what to send from standard input, sends it, and prints what came of it, both as JSON.
 *
 * The mix of a season: of ten requests one is a login, two are lists, four are readings, two are readings with a photo, one is public.
 */
import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import autocannon from 'autocannon'

const { url, connections, amount, people, photo, day, table } = await json(process.stdin)
const accepted = []
const refused = []

function bearer({ token }) {
  return { authorization: `Bearer ${token}` }
}

const asJson = { 'content-type': 'application/json' }

function note(status, body, operation) {
  if (status !== 200) refused.push(`${operation} ${status} ${body.slice(0, 200)}`)
}

function login({ username, password, address }) {
  const body = JSON.stringify({ applicationId: 'birkenfurt', username, password })
  // As CloudFront does: else all of them would be one device that tries many names.
  const headers = { ...asJson, 'x-viewer-address': address }
  return { method: 'POST', path: '/auth/token', headers, body, onResponse: (s, b) => note(s, b, 'login') }
}

function list(person) {
  return { method: 'GET', path: '/api/pro/job', headers: bearer(person), onResponse: (s, b) => note(s, b, 'list') }
}

function open() {
  return { method: 'GET', path: '/api/public/application', onResponse: (s, b) => note(s, b, 'public') }
}

/** A reading of two rates; the comment tells it from all others. */
function reading(person, images) {
  return {
    method: 'POST',
    path: '/',
    setupRequest(request, context) {
      person.sent = (person.sent ?? 0) + 1
      context.comment = randomUUID()
      const results = [
        { taskId: 'ht', readingValue: '046900.0', comment: context.comment, readingImages: images },
        { taskId: 'nt', readingValue: '025900.0' },
      ]
      return {
        ...request,
        path: `/api/pro/job/${person.jobs[person.sent % person.jobs.length]}/meterRateTask/result`,
        headers: { ...bearer(person), ...asJson, 'idempotency-key': context.comment },
        body: JSON.stringify({ readingDate: day, confirmed: true, results }),
      }
    },
    onResponse(status, body, context) {
      note(status, body, 'reading')
      if (status === 200) accepted.push(context.comment)
    },
  }
}

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
    onResponse: (s, b) => note(s, b, 'transaction'),
  }
}

function mix(person) {
  const plain = () => reading(person, [])
  const pictured = () => reading(person, [{ encodedImage: photo, mimeType: 'image/jpeg' }])
  return [login(person), list(person), plain(), pictured(), plain(), open(), plain(), list(person), pictured(), plain()]
}

let clients = 0
const result = await autocannon({
  url,
  connections,
  amount,
  timeout: 60,
  setupClient(client) {
    const requests = table ? [transaction()] : mix(people[clients])
    // Each begins elsewhere in the mix.
    const from = clients++ % requests.length
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
  },
})
const { errors, timeouts, latency, duration, requests } = result
console.log(
  JSON.stringify({
    accepted,
    refused,
    errors,
    timeouts,
    p50: latency.p50,
    p99: latency.p99,
    duration,
    sent: requests.total,
  }),
)
