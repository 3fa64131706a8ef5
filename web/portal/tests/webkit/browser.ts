/** WebKit, the engine of Safari, as Debian has it: a small client of WebDriver (W3C), because Playwright drives no WebKit but its own build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The name under which WebDriver gives an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
type Element = { [ELEMENT]: string }

/** Key codes of WebDriver. */
export const keys = { enter: '\uE007', escape: '\uE00C', tab: '\uE004' }

/** How long a page may take on a busy machine, in milliseconds. */
const PATIENCE = 30_000

/** What in the page is called so: a button, link, field, heading; in an open dialog, if there is one. */
const FIND = `
  const [name] = arguments
  const said = (element) => (element.getAttribute('aria-label') ?? (element.labels?.[0] ?? element).innerText ?? '').trim()
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const all = [...(dialog ?? document).querySelectorAll('button, a, input, select, textarea, [role=textbox]')]
  const visible = all.filter((element) => element.checkVisibility() && !element.disabled)
  return visible.find((element) => said(element) === name) ?? visible.find((element) => said(element).includes(name))`

/** Collects what the browser complains about: WebDriver has no console. */
const LISTEN = `
  window.complaints ??= []
  for (const kind of ['error', 'warn']) console[kind] = (...words) => complaints.push(words.map(String).join(' '))
  addEventListener('error', ({ message, target }) => complaints.push(message ?? target.src), true)
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)))
  document.addEventListener('securitypolicyviolation', (event) => complaints.push(event.violatedDirective + ' ' + event.blockedURI))`

/** A window of a fresh WebKit without a memory. */
export class Browser {
  readonly #programs: ChildProcess[]
  readonly #session: string

  private constructor(programs: ChildProcess[], session: string) {
    this.#programs = programs
    this.#session = session
  }

  /** MiniBrowser is at least 447 px wide. */
  static async open({ width, height }: { width: number; height: number }): Promise<Browser> {
    const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
    if (!binary) throw new Error('there is no MiniBrowser; on Debian: apt-get install webkit2gtk-driver')
    const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const [number] = (await once(display.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
    const port = await freePort()
    const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
      env: { ...process.env, DISPLAY: `:${String(number).trim()}` },
      stdio: 'ignore',
    })
    const programs = [driver, display]
    try {
      const base = `http://127.0.0.1:${port}`
      await until('the driver', () => fetch(`${base}/status`).then(({ ok }) => ok))
      const options = { binary, args: ['--automation'] }
      // A certificate of the walk's own.
      const alwaysMatch = { acceptInsecureCerts: true, 'webkitgtk:browserOptions': options }
      const { sessionId } = (await ask('POST', `${base}/session`, { capabilities: { alwaysMatch } })) as {
        sessionId: string
      }
      const browser = new Browser(programs, `${base}/session/${sessionId}`)
      await browser.#ask('POST', '/window/rect', { width, height })
      return browser
    } catch (error) {
      for (const program of programs) program.kill()
      throw error
    }
  }

  #ask(method: string, path: string, body?: object): Promise<unknown> {
    return ask(method, this.#session + path, body)
  }

  /** Runs this as a function's body in the page. */
  run(script: string, ...args: unknown[]): Promise<unknown> {
    return this.#ask('POST', '/execute/sync', { script, args })
  }

  async goto(url: string): Promise<void> {
    await this.#ask('POST', '/url', { url })
    await this.listen()
  }

  /** Collects what the browser complains about from here on, on a page that was come to by a link. */
  async listen(): Promise<void> {
    await this.run(LISTEN)
  }

  /** As the person's own button does, through the service worker. */
  async reload(): Promise<void> {
    await this.run('window.before = true; setTimeout(() => location.reload())')
    await until('the page after its reload', async () => !(await this.run('return window.before')))
    await this.listen()
  }

  /** Waits until the page shows this text. */
  async sees(text: string): Promise<void> {
    await until(
      text,
      () => this.run('return document.body.innerText.includes(arguments[0])', text),
      () => this.text(),
    )
  }

  text(): Promise<unknown> {
    return this.run('return document.body.innerText')
  }

  find(name: string): Promise<Element> {
    return until(
      name,
      () => this.run(FIND, name),
      () => this.text(),
    ) as Promise<Element>
  }

  /** Clicks what stands still: a notice that comes at the same moment moves it from under the pointer. */
  async click(name: string): Promise<void> {
    let place: unknown
    await this.find(name)
    await until(
      `${name}, at rest`,
      async () => {
        const before = place
        place = await this.run('return String(arguments[0].getBoundingClientRect().y)', await this.find(name))
        return place === before
      },
      () => this.text(),
    )
    await this.#ask('POST', `/element/${(await this.find(name))[ELEMENT]}/click`, {})
  }

  async type(name: string, text: string): Promise<void> {
    await this.#ask('POST', `/element/${(await this.find(name))[ELEMENT]}/value`, { text })
  }

  /** Keys one after the other, to the element that has the focus. */
  async press(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))
    await this.#ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  /** Picks a file in the page's first field for several. It is hidden, and WebDriver types only into what can be seen. */
  async pick(file: string): Promise<void> {
    const field = (await this.run(
      'const field = document.querySelector("input[type=file][multiple]"); field.hidden = false; return field',
    )) as Element
    await this.#ask('POST', `/element/${field[ELEMENT]}/value`, { text: file })
    await this.run('arguments[0].hidden = true', field)
  }

  async screenshot(path: string): Promise<void> {
    writeFileSync(path, Buffer.from(String(await this.#ask('GET', '/screenshot')), 'base64'))
  }

  async complaints(): Promise<string[]> {
    return (await this.run('return window.complaints')) as string[]
  }

  async close(): Promise<void> {
    await this.#ask('DELETE', '').catch(() => undefined)
    for (const program of this.#programs) program.kill()
  }
}

async function ask(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await answer.json()) as { value: { error: string; message: string } }
  if (!answer.ok) throw new Error(`${method} ${url}: ${value.error} ${value.message}`)
  return value
}

/** Asks until the answer is there, and says what was there instead when it does not come. */
export async function until(
  what: string,
  look: () => Promise<unknown>,
  instead: () => Promise<unknown> = () => Promise.resolve(''),
): Promise<unknown> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(100)) {
    const found = await look().catch(() => undefined)
    if (found) return found
  }
  throw new Error(`there is no "${what}" after ${PATIENCE / 1000} s. There is:\n${String(await instead())}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
