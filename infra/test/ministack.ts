import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** What its clients are told. */
export interface Client {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  forcePathStyle: boolean
}

const program = process.env['ZAEHLWERK_MINISTACK'] ?? path.resolve(import.meta.dirname, '../../.venv/bin/ministack')

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts an emulator of AWS that we did not write for the tests of a file, and ends it after them. */
export function ministack(): Client {
  const client: Client = {
    endpoint: '',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    forcePathStyle: true,
  }
  let end = () => {}
  beforeAll(async () => {
    if (!existsSync(program)) throw new Error(`${program} is missing: make setup`)
    const port = await freePort()
    const folder = mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-ministack-'))
    const off = { IOT_MTLS_ENABLED: '0', SFTP_ENABLED: '0', LOG_LEVEL: 'WARNING' }
    const env = { ...process.env, ...off, BIND_HOST: '127.0.0.1', GATEWAY_PORT: String(port), TMPDIR: folder }
    const child = spawn(program, [], { cwd: folder, env, stdio: 'ignore' })
    end = () => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
    client.endpoint = `http://127.0.0.1:${port}`
    const isReady = () =>
      fetch(`${client.endpoint}/_ministack/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`ministack ended with ${child.exitCode}.`)
    }
  }, 60_000)
  afterAll(() => end())
  return client
}
