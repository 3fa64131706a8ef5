import { chromium } from 'playwright'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium' })
const D = 'http://localhost:5174', T = '/t/birkenfurt'
async function person(email, opts = {}) {
  const c = await b.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin', viewport: { width: 1280, height: 900 }, ...opts })
  const p = await c.newPage()
  await p.goto(D + '/')
  await p.getByRole('link', { name: /Anmelden|Log in/ }).or(p.getByRole('button', { name: /Anmelden|Log in/ })).first().click()
  await p.locator('input[name=username]').fill(email)
  await p.locator('input[type=password]').fill('Arbeitsplatz-2026')
  await p.keyboard.press('Enter')
  await p.waitForURL(/localhost:5174\/t/)
  await p.waitForLoadState('networkidle')
  return p
}
async function shots(p, name, widths = [[320, 900], [390, 844], [1280, 900]]) {
  for (const [w, h] of widths) {
    await p.setViewportSize({ width: w, height: h })
    await p.waitForTimeout(250)
    await p.screenshot({ path: `/tmp/w/pics/z-${name}-${w}.png`, fullPage: true })
  }
  await p.setViewportSize({ width: 1280, height: 900 })
}
const at = async (p, path) => { await p.goto(D + path); await p.waitForLoadState('networkidle') }
const jonas = await person('jonas.reuter@stadtwerke-birkenfurt.example')
// a big reading by entry
await jonas.keyboard.press('/'); await jonas.keyboard.type('somm 4711'); await jonas.waitForTimeout(1200); await jonas.keyboard.press('Enter'); await jonas.waitForTimeout(1200)
await jonas.getByRole('article', { name: /4711/ }).getByRole('link', { name: 'Stand eingeben' }).click(); await jonas.waitForTimeout(1000)
await jonas.getByLabel('HT (kWh)').fill('461124,0'); await jonas.getByLabel('NT (kWh)').fill('27213,0'); await jonas.keyboard.press('Enter')
await jonas.getByLabel('Warum stimmt der Wert trotzdem?').fill('Zweimal vorgelesen'); await jonas.keyboard.press('Enter'); await jonas.waitForTimeout(1500)
await at(jonas, T + '/deciding?reason=OUTSIDE_RANGE')
await jonas.getByRole('row').nth(1).getByRole('link').first().click(); await jonas.waitForTimeout(1200)
await jonas.keyboard.press('f'); await jonas.waitForTimeout(1200)
await shots(jonas, 'proposed')
await at(jonas, T + '/deciding?reason=OUTSIDE_RANGE'); await shots(jonas, 'list')
await jonas.getByRole('row').nth(1).getByRole('link').first().click(); await jonas.waitForTimeout(1200); await shots(jonas, 'own')
const clara = await person('clara.brandt@stadtwerke-birkenfurt.example')
await at(clara, T + '/deciding?reason=OUTSIDE_RANGE')
await clara.getByRole('row').nth(1).getByRole('link').first().click(); await clara.waitForTimeout(1200); await shots(clara, 'agree')
const forced = await person('clara.brandt@stadtwerke-birkenfurt.example', { forcedColors: 'active', locale: 'en-GB' })
await at(forced, T + '/deciding?reason=OUTSIDE_RANGE'); await forced.getByRole('row').nth(1).getByRole('link').first().click(); await forced.waitForTimeout(1200); await shots(forced, 'agree-forced', [[1280, 900]])
await clara.keyboard.press('g'); await clara.waitForTimeout(1000)
await at(clara, T + '/deciding/mine'); await shots(clara, 'mine')
await at(jonas, T + '/exports'); await shots(jonas, 'exports')
await at(jonas, T + '/customers'); await jonas.keyboard.press('/'); await jonas.keyboard.type('somm 0042'); await jonas.waitForTimeout(1200); await jonas.keyboard.press('Enter'); await jonas.waitForTimeout(1200)
await jonas.getByRole('button', { name: 'E-Mails einschalten' }).click(); await jonas.getByRole('button', { name: /Bestätigung|senden/ }).last().click(); await shots(jonas, 'mailson')
await jonas.keyboard.press('Escape')
await at(jonas, T + '/members'); await jonas.getByRole('row', { name: /Mara/ }).getByRole('button', { name: 'Entfernen …' }).click(); await shots(jonas, 'remove', [[390, 844]])
const fl = await person('jonas.reuter@stadtwerke-birkenfurt.example', { forcedColors: 'active', locale: 'en-GB' })
for (const s of ['members', 'exports', 'webhook', 'season']) { await at(fl, `${T}/${s}`); await shots(fl, `${s}-forced`, [[1280, 900]]) }
console.log('done')
await b.close()
