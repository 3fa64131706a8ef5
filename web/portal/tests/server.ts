/**
 * Serves the built portal as CloudFront does: with production's headers, deep links answered by the page itself, and the
 * API under the same origin. What breaks under the content security policy breaks here.
 */
import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions, type Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { constants, createBrotliCompress } from 'node:zlib'
import { isMissingFile } from '../../../infra/files.ts'

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Between fast and small, as a distribution's. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5 }

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** The site on a free port of this machine. */
export class Site {
  readonly port: number
  readonly url: string
  readonly #server: Server | TlsServer
  #api: URL | undefined
  #headers: Record<string, string> = {}
  /** The build that is served. */
  root = dist
  /** Whether files go out compressed, as they do from CloudFront: what they weigh matters to those who measure. */
  compressed = false
  /** Files that were asked for, and calls of the API, by method and path, in order. */
  readonly files: string[] = []
  readonly calls: string[] = []
  /** Bytes of all answers without their heads, of which HTTP/2 sends little more than once. */
  bytes = 0
  /** The files in whose place a machine in between answers with a page of its own. */
  captive: RegExp | undefined
  /** Whether the connection is lost over every request, as it is without a network. */
  isCut = false

  private constructor(server: Server | TlsServer, protocol: 'http' | 'https') {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    // The demo tenant is found by this name.
    this.url = `${protocol}://localhost:${this.port}`
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const { pathname } = new URL(incoming.url ?? '/', this.url)
      this.#weigh(outgoing)
      if (this.isCut) incoming.socket.destroy()
      else if (incoming.method === 'HEAD' && pathname === '/api/public/application') outgoing.writeHead(200).end()
      else if (!/^\/(api|auth|desk)\//.test(pathname)) {
        this.files.push(pathname)
        if (this.captive?.test(pathname)) {
          outgoing.writeHead(200, { 'content-type': TYPES['.html'] }).end('<!doctype html>')
          return
        }
        sendFile(this, pathname, outgoing, this.#headers)
      } else if (this.#api) {
        this.calls.push(`${incoming.method} ${pathname}`)
        forward(incoming, outgoing, this.#api)
      } else outgoing.writeHead(503).end()
    })
  }

  /** Over TLS where there is a certificate. */
  static async listen(certificate?: ServerOptions): Promise<Site> {
    const server = certificate ? createTlsServer(certificate) : createServer()
    // Node closes a connection after five idle seconds, perhaps at the moment when a journey's next call goes out on it.
    server.keepAliveTimeout = 600_000
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    return new Site(server, certificate ? 'https' : 'http')
  }

  /** Counts what is written. */
  #weigh(outgoing: ServerResponse): void {
    const write = outgoing.write.bind(outgoing)
    outgoing.write = ((chunk: string | Uint8Array, ...rest: []) => {
      this.bytes += chunk.length
      return write(chunk, ...rest)
    }) as typeof outgoing.write
  }

  /** From now on calls go to this API, and pages have these headers. */
  connect(apiUrl: string, headers: Record<string, string>): void {
    this.#api = new URL(apiUrl)
    this.#headers = headers
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function sendFile(
  { root, compressed }: Site,
  pathname: string,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): void {
  const named = join(root, normalize(decodeURIComponent(pathname)))
  const isThere = named.startsWith(root) && isFile(named)
  if (!isThere && (isMissingFile(pathname) || pathname.startsWith('/assets/'))) {
    outgoing.writeHead(404, headers).end()
    return
  }
  const file = isThere ? named : join(root, 'index.html')
  const type = extname(file)
  const isText = type !== '.woff2'
  outgoing.writeHead(200, {
    ...headers,
    ...(compressed && isText ? { 'content-encoding': 'br' } : {}),
    'content-type': TYPES[type] ?? 'application/octet-stream',
    'cache-control': caching(file),
  })
  if (!compressed || !isText) createReadStream(file).pipe(outgoing)
  else pipeline(createReadStream(file), createBrotliCompress({ params: BROTLI }), outgoing, () => undefined)
}

/** As `infra/distribution.ts` says it. */
function caching(file: string): string {
  if (file.includes('/assets/')) return 'public, max-age=31536000, immutable'
  return /\/(?:index\.html|service-worker\.js)$/.test(file) ? 'no-cache' : 'public, max-age=3600'
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** The Host header stays: the API finds the tenant by it. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, api: URL): void {
  const { method, url, headers } = incoming
  const call = request({ host: api.hostname, port: api.port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  call.on('error', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502)
    outgoing.end()
  })
  incoming.pipe(call)
}
