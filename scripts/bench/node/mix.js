/** The mix of a season: of ten requests one is a login, two are lists, four are readings, two are readings with a photo, one is public. */
import { randomUUID } from 'node:crypto'

const MIX = ['login', 'list', 'plain', 'pictured', 'plain', 'open', 'plain', 'list', 'pictured', 'plain']

const asJson = { 'content-type': 'application/json' }

/** What people send with this photo on this day, and what came of it: comments of accepted readings, refusals, readings to send again. */
export class Season {
  accepted = []
  refused = []
  waiting = []

  constructor({ photo, day }) {
    Object.assign(this, { photo, day })
  }

  /** A person's requests, of which the first is the so-manieth of the mix. */
  of(person, from) {
    return MIX.map((_, n) => this[MIX[(from + n) % MIX.length]](person))
  }

  note(status, body, operation) {
    if (status !== 200) this.refused.push(`${operation} ${status} ${body.slice(0, 200)}`)
  }

  request(operation, method, path, headers, more = {}) {
    return { method, path, headers, onResponse: (status, body) => this.note(status, body, operation), ...more }
  }

  login({ username, password, address }) {
    const body = JSON.stringify({ applicationId: 'birkenfurt', username, password })
    return this.request('login', 'POST', '/auth/token', from(address, asJson), { body })
  }

  list({ token, address }) {
    return this.request('list', 'GET', '/api/pro/job', from(address, bearer(token)))
  }

  open({ address }) {
    return this.request('public', 'GET', '/api/public/application', from(address, {}))
  }

  plain(person) {
    return this.reading(person, [])
  }

  pictured(person) {
    return this.reading(person, [{ encodedImage: this.photo, mimeType: 'image/jpeg' }])
  }

  /** A reading of two rates; the comment tells it from all others. */
  reading(person, images) {
    const setupRequest = (request, context) => {
      person.sent = (person.sent ?? 0) + 1
      context.comment = randomUUID()
      const results = [
        { taskId: 'ht', readingValue: '046900.0', comment: context.comment, readingImages: images },
        { taskId: 'nt', readingValue: '025900.0' },
      ]
      context.reading = {
        path: `/api/pro/job/${person.jobs[person.sent % person.jobs.length]}/meterRateTask/result`,
        headers: { ...request.headers, 'idempotency-key': context.comment },
        body: JSON.stringify({ readingDate: this.day, confirmed: true, results }),
      }
      return { ...request, ...context.reading }
    }
    const onResponse = (status, body, { comment, reading }) => {
      this.note(status, body, 'reading')
      if (status === 200) this.accepted.push(comment)
      // As the portal does.
      if (status === 429 || status === 503) this.waiting.push(reading)
    }
    return this.request('reading', 'POST', '/', from(person.address, { ...bearer(person.token), ...asJson }), {
      setupRequest,
      onResponse,
    })
  }
}

function bearer(token) {
  return { authorization: `Bearer ${token}` }
}

/** As CloudFront says it: else all of them would be one device that tries many names. */
function from(address, headers) {
  return { ...headers, 'x-viewer-address': address }
}
