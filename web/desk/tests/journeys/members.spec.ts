/** A lead names who works for the utility, and sees its webhook. */
import { linkInMail, newAddress } from '../../../portal/tests/mails.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import type { components } from '../../../shared/contract/schema.d.ts'
import { heading, support, test } from '../desk.ts'

test('an invitation goes out, waits, and is taken back; roles have bounds', async ({ page }) => {
  const email = newAddress()
  await page.goto('/t/birkenfurt/customers')
  await heading(page, 'Kunden suchen')
  await page.getByRole('link', { name: 'Mitglieder' }).click()
  await heading(page, 'Mitglieder')
  const me = page.getByRole('row', { name: /^Jonas Reuter/ })
  await expect(me).toContainText('Leitung, Datenschutz')
  await expect(me.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('row', { name: new RegExp(`^${support.name}`) })).toContainText('Auskunft')

  await page.getByRole('button', { name: 'Einladen …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mitglied einladen' })
  await dialog.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill('neu@')
  await dialog.getByRole('button', { name: 'Einladung senden' }).click()
  await expect(dialog.getByText('Bitte eine E-Mail-Adresse wie')).toBeVisible()
  await expect(dialog.getByText('Bitte mindestens eine Rolle wählen.')).toBeVisible()
  await expectNoViolation(page)
  await dialog.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(email)
  await dialog.getByText(/^Sachbearbeitung: /).click()
  await dialog.getByRole('button', { name: 'Einladung senden' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(`Die Einladung an ${email} ist unterwegs.`)).toBeVisible()
  // A temporary password came before.
  expect(await linkInMail(email, 2, '/invitation/')).toContain('/invitation/birkenfurt/')
  const invited = page.getByRole('row', { name: new RegExp(email) })
  await expect(invited).toContainText('Sachbearbeitung')
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
  await invited.getByRole('button', { name: 'Zurücknehmen' }).click()
  await expect(invited).toHaveCount(0)
})

test('a member with another login is invited at their own address', async ({ page }) => {
  await page.goto('/t/birkenfurt/members')
  await heading(page, 'Mitglieder')
  await page
    .getByRole('row', { name: new RegExp(support.name) })
    .getByRole('button', { name: 'Neue Anmeldung …' })
    .click()
  const dialog = page.getByRole('dialog', { name: `Neue Anmeldung für ${support.name}` })
  await expect(dialog).toContainText(`Eine Einladung geht an ${support.email}`)
  await expectNoViolation(page)
  await dialog.getByRole('button', { name: 'Einladung senden' }).click()
  await expect(dialog).toBeHidden()
  const invited = page.getByRole('row', { name: new RegExp(`neue Anmeldung für ${support.name}`) })
  await expect(invited).toContainText('Auskunft')
  await invited.getByRole('button', { name: 'Erneut einladen' }).click()
  await expect(page.getByText(`Die Einladung an ${support.email} ist unterwegs.`)).toBeVisible()
  await expect(invited).toHaveCount(1)
  await invited.getByRole('button', { name: 'Zurücknehmen' }).click()
  await expect(invited).toHaveCount(0)

  // The operator's command invited to another address, to which the desk would not.
  await page.route('**/api/desk/tenants/*/members', async (route) => {
    const answer = await route.fetch()
    const members = (await answer.json()) as components['schemas']['DeskMembers']
    const member = members.members.find(({ email }) => email === support.email)?.id ?? null
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const elsewhere = {
      id: 'x',
      email: 'woanders@example.org',
      roles: ['support' as const],
      invitedBy: '',
      expiresAt,
      member,
    }
    await route.fulfill({ json: { ...members, invited: [elsewhere] } })
  })
  await page.reload()
  await expect(invited).toContainText('Erneut dorthin lädt ein, wer Ihr Portal betreibt')
  await expect(invited.getByRole('button', { name: 'Erneut einladen' })).toHaveCount(0)
})

test('a lead sees that there is no webhook, and that nothing is undeliverable', async ({ page }) => {
  await page.goto('/t/birkenfurt/webhook')
  await heading(page, 'Webhook')
  await expect(page.getByText('Dieser Versorger hat keinen Webhook eingerichtet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Alles erneut senden' })).toBeDisabled()
  await expectNoViolation(page)
})

test.describe('whoever leads nothing', () => {
  test.use({ member: support })

  test('sees no members', async ({ page }) => {
    await page.goto('/t/birkenfurt/customers')
    await heading(page, 'Kunden suchen')
    await expect(page.getByRole('link', { name: 'Eingabe' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Mitglieder' })).toHaveCount(0)
  })
})
