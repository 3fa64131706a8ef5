/** Those who run the product make a utility, hand it to its lead, and see of it what the lead shows them. */
import { linkInMail } from '../../../portal/tests/mails.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, lead as leader, logIn, newPerson, platform, test } from '../desk.ts'

test.use({ member: platform })

test.describe('a utility that was not there', () => {
  test.use({ expectedErrors: [AT_LOGIN] })

  test('is made, handed to its lead, and opened to the platform for a time', async ({ page, browser }, info) => {
    const id = `neustadt-${process.pid}-${info.retry}-${Date.now() % 100_000}`
    await page.goto('/')
    await heading(page, 'Versorger')
    const { port } = new URL(page.url())
    await expect(page.getByRole('row', { name: /Stadtwerke Birkenfurt/ })).toContainText('nein')
    await expectNoViolation(page)
    await page.getByRole('button', { name: 'Neuer Versorger …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Versorger' })
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await expect(dialog.getByText('Bitte einen Hostnamen eingeben.')).toBeVisible()
    await expectNoViolation(page)
    await dialog.getByLabel('Name', { exact: true }).fill('Stadtwerke Neustadt')
    await dialog.getByLabel('Kennung').fill('birkenfurt')
    await dialog.getByLabel('Hostname').fill('https://neu')
    await dialog.getByLabel('Adresse des Portals').fill(`http://${id}.localhost:${port}`)
    await dialog.getByLabel('Absender der E-Mails').fill('zaehler@gemeindewerke-nachbarau.example')
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await expect(dialog.getByText('Was nicht stimmt, steht bei den Feldern.')).toBeVisible()
    await expect(dialog.getByText('muss ein Hostname ohne https://, Port und Pfad sein')).toBeVisible()
    await dialog.getByLabel('Hostname').fill(`${id}.localhost`)
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await expect(dialog.getByText('ist schon vergeben')).toBeVisible()
    await dialog.getByLabel('Kennung').fill(id)
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await heading(page, 'Stadtwerke Neustadt')
    await expect(page.getByText('Noch niemand leitet diesen Versorger.')).toBeVisible()
    await expectNoViolation(page)

    const person = await newPerson('Nele Neustadt')
    await page.getByRole('button', { name: 'Leitung einladen …' }).click()
    const invite = page.getByRole('dialog', { name: 'Leitung einladen' })
    await invite.getByLabel('E-Mail-Adresse').fill(person.email)
    await invite.getByRole('button', { name: 'Einladung senden' }).click()
    await expect(page.getByText(`Die Einladung an ${person.email} ist unterwegs.`)).toBeVisible()
    await expect(page.getByText(`${person.email} ist eingeladen`)).toBeVisible()
    await page.getByRole('button', { name: 'Um Zugang bitten …' }).click()
    const ask = page.getByRole('dialog', { name: 'Um Zugang bitten' })
    await ask.getByRole('button', { name: 'Bitten' }).click()
    await expect(ask.getByText('Bitte den Grund nennen.')).toBeVisible()
    await ask.getByLabel('Grund').fill('Wir sehen mit Ihnen den ersten Import an.')
    await ask.getByRole('button', { name: 'Bitten' }).click()
    await expect(page.getByText('Sie haben um Zugang gebeten.')).toBeVisible()

    const theirs = await browser.newContext({ locale: 'de-DE' })
    const lead = await theirs.newPage()
    await logIn(lead, new URL('/', page.url()).href, person)
    await heading(lead, 'Noch kein Zugang')
    await lead.goto(new URL(await linkInMail(person.email, 2, '/invitation/'), page.url()).href)
    await expect(lead.getByText('lädt Sie ein, für Stadtwerke Neustadt zu arbeiten')).toBeVisible()
    await lead.getByRole('button', { name: 'Einladung annehmen' }).click()
    await heading(lead, 'Kunden suchen')
    await expect(lead.getByRole('complementary', { name: 'Probebetrieb' })).toContainText('Was bis zum Betrieb fehlt')
    await lead.getByRole('link', { name: 'Mitglieder' }).click()
    await expect(lead.getByText('Wir sehen mit Ihnen den ersten Import an.')).toBeVisible()
    await expectNoViolation(lead)
    await lead.getByRole('button', { name: 'Zugang geben …' }).click()
    const give = lead.getByRole('dialog', { name: `Zugang für ${platform.name}` })
    await give.getByRole('button', { name: 'Zugang geben' }).click()
    await expect(give.getByText('Bitte mindestens eine Rolle wählen.')).toBeVisible()
    await give.getByText(/^Auskunft: /).click()
    await expectNoViolation(lead)
    await give.getByRole('button', { name: 'Zugang geben' }).click()
    await expect(lead.getByRole('row', { name: new RegExp(`^${platform.name}`) })).toContainText('Zugang bis')

    await page.reload()
    await expect(page.getByText('Sie haben Zugang als Auskunft bis')).toBeVisible()
    for (const width of [320, 390, 768]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
    }
    await page.getByRole('link', { name: 'Zum Arbeitsplatz des Versorgers' }).click()
    await heading(page, 'Kunden suchen')
    await page.goto(`/platform/${id}`)
    await page.getByRole('button', { name: 'Zugang beenden' }).click()
    await expect(page.getByRole('button', { name: 'Um Zugang bitten …' })).toBeVisible()
    await page.goto(`/t/${id}/customers`)
    await heading(page, 'Diese Seite gibt es nicht')

    await lead.getByRole('link', { name: 'Nachweise' }).click()
    await expect(lead.getByRole('cell', { name: 'gab dem Betrieb Zugang auf Zeit' })).toBeVisible()
    // The portal's API answers by the host's name.
    await lead.goto(`http://${id}.localhost:${port}/api/public/application`)
    await expect(lead.getByText('"name":"Stadtwerke Neustadt"')).toBeVisible()
    await theirs.close()
  })
})

test.describe('whoever runs nothing', () => {
  test.use({ member: leader })

  test('sees no list of utilities', async ({ page }) => {
    await page.goto('/platform')
    await heading(page, 'Diese Seite gibt es nicht')
    await expect(page.getByRole('link', { name: 'Alle Versorger' })).toHaveCount(0)
  })
})
