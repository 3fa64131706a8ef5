// The page of a letter as `functions/desk/src/letters/page.rs` draws it, by a kept library: the same font, texts, places, table and code.
import { createWriteStream, readFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import PDFDocument from 'pdfkit'
import QRCode from 'qrcode'

const MM = 72 / 25.4
const [lettersFile, jobsFile, out, most] = process.argv.slice(2)
const fonts = new URL('../../../functions/desk/fonts/', import.meta.url)
const lines = (file) => readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse)
const day = (date) => date.split('-').reverse().join('.')

const jobs = new Map(lines(jobsFile).map((job) => [job.accountId, job]))
const document = new PDFDocument({
  size: 'A4',
  margin: 0,
  autoFirstPage: false,
  subset: 'PDF/A-2b',
  pdfVersion: '1.7',
  lang: 'de',
})
const written = createWriteStream(out)
document.pipe(written)
document.registerFont('regular', new URL('SourceSansPro-Regular.ttf', fonts).pathname)
document.registerFont('bold', new URL('SourceSansPro-Bold.ttf', fonts).pathname)

const text = (x, y, size, font, value) =>
  document
    .font(font)
    .fontSize(size)
    .text(value, x * MM, y * MM, { lineBreak: false, baseline: 'alphabetic' })

/** Gives where the next paragraph begins. */
function paragraph(y, value) {
  document.font('regular').fontSize(10.5)
  for (const line of wrapped(value, 165 * MM)) {
    text(25, y, 10.5, 'regular', line)
    y += 4.9
  }
  return y + 2.6
}

function wrapped(value, width) {
  const result = ['']
  for (const word of value.split(' ')) {
    const longer = `${result.at(-1)} ${word}`.trim()
    if (document.widthOfString(longer) <= width) result[result.length - 1] = longer
    else result.push(word)
  }
  return result
}

function code(x, y, side, link) {
  const { modules } = QRCode.create(link, { errorCorrectionLevel: 'M' })
  const module = side / (modules.size + 8)
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (!modules.get(row, column)) continue
      let length = 1
      while (column + length < modules.size && modules.get(row, column + length)) length += 1
      document.rect((x + (column + 4) * module) * MM, (y + (row + 4) * module) * MM, length * module * MM, module * MM)
      column += length
    }
  }
  document.fill('black')
}

for (const { id, name, username, password, link } of lines(lettersFile).slice(0, Number(most))) {
  const { customer, meter, jobConstraints } = jobs.get(id)
  const { mailingAddress, lastname, customerNumber } = customer
  const { earliestExecution, latestExecution } = jobConstraints
  document.addPage()
  document.lineWidth(0.25)
  for (const y of [105, 148.5, 210])
    document
      .moveTo(4 * MM, y * MM)
      .lineTo(9 * MM, y * MM)
      .stroke()
  text(25, 60.5, 7.5, 'regular', 'Stadtwerke Birkenfurt')
  const address = [
    lastname,
    `${mailingAddress.street} ${mailingAddress.houseNumber}`,
    `${mailingAddress.zip} ${mailingAddress.city}`,
  ]
  for (const [place, line] of address.entries()) text(25, 66.4 + place * 4.4, 10, 'regular', line)
  for (const [place, [label, value]] of [
    ['Datum', day(new Date().toISOString().slice(0, 10))],
    ['Kundennummer', customerNumber],
  ].entries()) {
    text(125, 66.4 + place * 5, 9, 'regular', label)
    text(151, 66.4 + place * 5, 9, 'regular', value)
  }
  text(25, 103, 12, 'bold', 'Ihre Zählerablesung')
  let y = paragraph(113, `Guten Tag ${name},`)
  y = paragraph(
    y,
    'bitte nehmen Sie Ihre Zählerablesung selbst vor und tragen Sie das Ergebnis im Portal von Stadtwerke Birkenfurt ein. Das geht in wenigen Minuten, am Smartphone oder am Rechner:',
  )
  const top = y - 4
  document.rect(25 * MM, top * MM, 165 * MM, 38 * MM).stroke()
  for (const [place, [label, value]] of [
    ['Benutzername', username],
    ['Passwort', password],
  ].entries()) {
    text(30, top + 9 + place * 13, 9, 'regular', label)
    text(30, top + 15 + place * 13, 14, 'bold', value)
  }
  text(107, top + 9, 9, 'regular', 'Oder den QR-Code scannen:')
  code(155, top + 3, 32, link)
  y = paragraph(top + 46, `Bitte erledigen Sie das bis zum ${day(latestExecution)}.`)
  const columns = [25, 70, 95, 149]
  for (const [place, head] of ['Zählernummer', 'Zähler', 'Ort', 'ablesen'].entries())
    text(columns[place], y, 9, 'bold', head)
  const place = `${meter.meterAddress.street} ${meter.meterAddress.houseNumber}`
  const cells = [meter.meterNumber, 'Strom', place, `${day(earliestExecution).slice(0, 6)} – ${day(latestExecution)}`]
  for (const [column, cell] of cells.entries()) text(columns[column], y + 4.6, 9, 'regular', cell)
  y = paragraph(
    y + 11.6,
    `Die Adresse des Portals ist ${new URL(link).origin}. Bewahren Sie diesen Brief auf und geben Sie die Zugangsdaten nur an Menschen weiter, die für Sie ablesen.`,
  )
  y = paragraph(y, 'Mit freundlichen Grüßen')
  paragraph(y, 'Stadtwerke Birkenfurt')
}
document.end()
await finished(written)
