/** One walk through the built desk in WebKit, which takes the session's cookie over TLS alone: login, search, customer, decision, undo, logout. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { meters } from '../../../portal/tests/demo.ts'
import { Browser, keys, until } from '../../../portal/tests/webkit/browser.ts'
import { startDesk } from '../setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'webkit-'))
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const wanted = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert]
execFileSync('openssl', ['req', ...wanted.split(' '), ...names], { stdio: 'ignore' })

const step = (text: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`)

const stop = await startDesk({ key: readFileSync(key), cert: readFileSync(cert) })
step('the product runs')
let browser: Browser | undefined
try {
  const [, lead] = JSON.parse(process.env['ZW_DESK_MEMBERS'] ?? '[]') as { email: string; password: string }[]
  browser = await Browser.open({ width: 1280, height: 900 })
  step('WebKit runs')

  await browser.goto(`${process.env['ZW_DESK']}/t/birkenfurt/customers`)
  const login = await until('the login', async () => /Log in|Anmelden/.exec(String(await browser?.text()))?.[0])
  await browser.click(login as string)
  await browser.sees('Username')
  await browser.run(
    `const [{ email, password }] = arguments
    document.querySelector('[name=username]').value = email
    document.querySelector('[name=password]').value = password
    document.querySelector('form').submit()`,
    lead,
  )
  // Its language is that of the machine.
  if (login === 'Log in') await browser.click('Switch language to Deutsch')
  await browser.sees('Kunden suchen')
  await browser.listen()
  step('logged in')

  await browser.type('Name, Straße, Zähler- oder Kundennummer', `somm ${meters.done.number.slice(-4)}`)
  await browser.sees('Lindenweg 12')
  await browser.press(keys.enter)
  await browser.sees('Dass Sie diese Daten ansehen, steht in den Nachweisen.')
  step('found a customer')

  await browser.click('Klärung')
  await browser.sees('Ablesungen warten')
  await browser.press('n')
  await browser.sees('Freigeben')
  await browser.press('f')
  await browser.sees('freigegeben.')
  await browser.press('z')
  await until('the reading again', async () => !String(await browser?.text()).includes('freigegeben.'))
  step('decided, and took it back')
  assert.deepEqual(await browser.complaints(), [])

  await browser.click('Abmelden')
  await browser.sees('Für Mitarbeitende')
  step('logged out')
} catch (error) {
  await browser?.screenshot(join(folder, 'failed.png')).catch(() => undefined)
  console.error(`What was to be seen is in ${folder}.`)
  throw error
} finally {
  await browser?.close()
  await stop()
}
