/** Lambda's loop for Node, without what Amazon's does beyond it: asks for an event, hands it over, sends the answer back. */
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { handler } from './handler.js'

const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':')
const agent = new http.Agent({ keepAlive: true })

function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, hostname, port, method, path: `/2018-06-01/runtime/invocation/${path}` })
    request.on('error', reject)
    request.on('response', async (response) => {
      resolve({ id: response.headers['lambda-runtime-aws-request-id'], body: await text(response) })
    })
    request.end(body)
  })
}

async function serve() {
  for (;;) {
    const { id, body } = await send('GET', 'next')
    const answer = await handler(JSON.parse(body))
    await send('POST', `${id}/response`, JSON.stringify(answer))
  }
}

serve()
