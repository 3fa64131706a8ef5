/** A lead tries the receiver of readings out, and renews the secret by which it knows them. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { linkInMail } from '../../../portal/tests/mails.ts'
import { operate } from '../../../portal/tests/operator.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, logIn, newPerson, test } from '../desk.ts'

test.use({ member: null, expectedErrors: [AT_LOGIN] })

test('a new secret is shown once and signs beside the old one, until that is ended', async ({ page }, info) => {
  const signatures: string[] = []
  let status = 204
  const receiver = createServer((request, answer) => {
    signatures.push(String(request.headers['webhook-signature']))
    answer.writeHead(status).end()
  })
  await new Promise<void>((listening) => receiver.listen(0, 'localhost', listening))
  const { port } = receiver.address() as AddressInfo

  const id = `probe-${process.pid}-${info.retry}-${Date.now() % 100_000}`
  const folder = info.outputPath('tenant')
  await operate('tenant', 'new', folder, '--id', id, '--name', 'Probewerke', '--host', `${id}.localhost`)
  const file = `${folder}/tenant.json`
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object
  const more = {
    webhook: { url: `http://localhost:${port}/in`, secretParameter: 'webhook' },
    communicationSettings: { senderName: 'Probewerke', senderEmail: 'zaehler@gemeindewerke-nachbarau.example' },
  }
  writeFileSync(file, JSON.stringify({ ...settings, ...more }))
  await operate('tenant', 'apply', folder)
  const person = await newPerson('Paula Probe')
  const words = `--tenant ${id} --role lead --desk-origin ${process.env['ZW_DESK']}`.split(' ')
  await operate('members', 'invite', person.email, ...words)
  await logIn(page, '/', person)
  await heading(page, 'Noch kein Zugang')
  await page.goto(await linkInMail(person.email, 1, '/invitation/'))
  await page.getByRole('button', { name: 'Einladung annehmen' }).click()
  await heading(page, 'Kunden suchen')

  await page.getByRole('link', { name: 'Webhook' }).click()
  await heading(page, 'Webhook')
  await expect(page.getByText('Gesendet wird nichts, bis Sie unten eines machen.')).toBeVisible()
  const test = page.getByRole('button', { name: 'Probenachricht senden' })
  await expect(test).toBeHidden()
  const secrets: string[] = []
  for (const _ of ['the first one', 'the next one']) {
    await page.getByRole('button', { name: 'Neues Geheimnis …' }).click()
    await page.getByRole('button', { name: 'Geheimnis machen' }).click()
    const shown = page.getByRole('dialog', { name: 'Das neue Geheimnis' })
    await expect(shown.getByText(/^whsec_/)).toBeVisible()
    secrets.push(await shown.getByText(/^whsec_/).innerText())
    await expectNoViolation(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(shown.getByText(/^whsec_/)).toBeVisible()
    await shown.getByRole('button', { name: 'Kopieren' }).click()
    await expect.poll(async () => page.evaluate(() => String(getSelection()))).toBe(secrets.at(-1))
    await shown.getByRole('button', { name: 'Ich habe es' }).click()
    await expect(shown).toBeHidden()
  }
  expect(new Set(secrets).size).toBe(2)
  await expect(page.getByText('Der Empfänger nimmt an.')).toBeVisible()
  await test.click()
  await expect(page.getByText('Der Empfänger hat die Probenachricht angenommen.')).toBeVisible()
  expect(signatures.at(-1)?.split(' ')).toHaveLength(2)
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
  const good = page.getByRole('row', { name: /von Paula Probe/ })
  await expect(good).toHaveCount(2)
  await page.getByRole('button', { name: 'Altes Geheimnis beenden …' }).click()
  const newest = createHash('sha256').update(String(secrets[1])).digest('hex').slice(0, 8)
  await expect(page.getByText(`Es bleibt ${newest} (von Paula Probe, `)).toBeVisible()
  await page.getByRole('button', { name: 'Beenden', exact: true }).click()
  await expect(good).toHaveCount(1)
  await expect(page.getByText('Es gilt nur noch das neueste Geheimnis.')).toBeVisible()
  await expect(page.getByText('Der Empfänger hat die Probenachricht angenommen.')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Ausprobieren und unterschreiben' })).toBeFocused()
  await test.click()
  await expect.poll(() => signatures.length).toBe(2)
  expect(signatures.at(-1)?.split(' ')).toHaveLength(1)
  status = 503
  await test.click()
  const cause = 'der Empfänger antwortet mit dem Status 503'
  await expect(page.getByText(`Die Probenachricht wurde nicht angenommen: ${cause}`)).toBeVisible()
  receiver.close()
})
