/** What a first visit asks of the edge, which is paid for by request and byte (docs/capacity.md). */
import routes from '../../../../infra/routes.json' with { type: 'json' }
import visit from '../../../../infra/visit.json' with { type: 'json' }
import { compressedSite } from '../bench/site.ts'
import { customerWith } from '../customer.ts'
import { meters } from '../demo.ts'
import { expectInstalled } from '../device.ts'
import { expect, logIn, test } from '../portal.ts'

test.use({ serviceWorkers: 'allow' })

/** The operation that answers a call. */
function operationOf(call: string): string {
  const found = routes.find(({ method, path }) => {
    const pattern = (path ?? '').replaceAll(/\{\w+\}/g, '[^/]+')
    return new RegExp(`^${method} ${pattern}$`).test(call)
  })
  return found?.operation ?? call
}

// Firefox asks for the icon of a home screen, too.
test('from the login to a reading that is sent', { tag: '@chromium' }, async ({ page }, info) => {
  const site = await compressedSite()
  const { number, ...customer } = await customerWith(info, meters.due.id)
  await page.goto(site.url)
  await logIn(page, customer)
  await page
    .getByRole('link', { name: /ablesen/ })
    .first()
    .click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await page.getByRole('textbox', { name: /^Zählerstand/ }).pressSequentially('000001')
  await page.getByRole('button', { name: 'Zählerstand senden' }).click()
  await page.getByRole('button', { name: 'Trotzdem senden' }).click()
  await expect(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  await expectInstalled(page)
  await page.waitForLoadState('networkidle')

  const calls: Record<string, number> = {}
  for (const operation of site.calls.map(operationOf)) calls[operation] = (calls[operation] ?? 0) + 1
  expect(calls).toEqual(visit.calls)
  expect(site.files, site.files.join('\n')).toHaveLength(visit.files)
  expect(site.bytes / 1000).toBeLessThan(visit.kilobytes)
  await site.close()
})
