/**
 * A workbook of one sheet, written as its rows come (ECMA-376). The libraries for it take seconds for ten thousand rows, and some
 * of them hang under our content security policy; what a list needs of the format is short.
 */

/** What a column holds: text as it is, a day (`YYYY-MM-DD`), or a decimal number. */
export type ColumnKind = 'text' | 'date' | 'number'

/** A column of the sheet. */
export interface Column {
  readonly title: string
  readonly kind: ColumnKind
  /** In characters. */
  readonly width: number
}

/** A row: one text a column; empty ones are left out. */
export type Row = readonly (string | null | undefined)[]

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The cells' formats, as `xl/styles.xml` numbers them. */
const STYLE = { general: 0, title: 1, date: 2, literal: 3, decimals: 4 } as const
const MAX_DECIMALS = 9
/** A spreadsheet counts in binary floating point, which is exact so far. */
const EXACT_DIGITS = 15
/** No cell may hold more (Excel's limit). */
const MAX_TEXT = 32_767
/** So much XML is gathered before it is compressed. */
const CHUNK = 1 << 18

/** Writes the sheet row by row. */
export class Workbook {
  readonly #title: string
  readonly #columns: readonly Column[]
  readonly #names: readonly string[]
  readonly #sheet = new Deflated()
  #rows = 1
  #text: string

  constructor(title: string, columns: readonly Column[]) {
    this.#title = title
    this.#columns = columns
    this.#names = columns.map((_, index) => columnName(index))
    const widths = columns
      .map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
      .join('')
    const titles = columns.map(({ title }, index) => textCell(`${this.#names[index]}1`, title, STYLE.title)).join('')
    this.#text =
      `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
      `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
      `<cols>${widths}</cols><sheetData><row r="1">${titles}</row>`
  }

  /** Adds rows below those that are there. */
  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#rows += 1
      this.#text += `<row r="${this.#rows}">`
      for (const [index, { kind }] of this.#columns.entries()) {
        const value = row[index]
        if (value) this.#text += cell(`${this.#names[index]}${this.#rows}`, kind, value)
      }
      this.#text += '</row>'
      if (this.#text.length > CHUNK) await this.#flush()
    }
  }

  /** The finished file. */
  async finish(): Promise<Blob> {
    const all = `A1:${this.#names.at(-1)}${this.#rows}`
    this.#text +=
      `</sheetData><autoFilter ref="${all}"/>` +
      // Postcodes and meter numbers are meant to be text.
      `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
    await this.#flush()
    return zip([...(await frame(this.#title)), { path: 'xl/worksheets/sheet1.xml', ...(await this.#sheet.finish()) }])
  }

  async #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    await this.#sheet.write(text)
  }
}

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

function cell(name: string, kind: ColumnKind, value: string): string {
  if (kind === 'date' && /^\d{4}-\d\d-\d\d/.test(value)) return numberCell(name, String(serialDay(value)), STYLE.date)
  if (kind === 'number' && isExact(value)) {
    const decimals = Math.min(value.split('.')[1]?.length ?? 0, MAX_DECIMALS)
    return numberCell(name, String(Number(value)), STYLE.decimals + decimals)
  }
  // A cell that is edited later must not become a formula either.
  return textCell(name, value, /^[=+\-@\t\r]/.test(value) ? STYLE.literal : STYLE.general)
}

const numberCell = (name: string, value: string, style: number) => `<c r="${name}" s="${style}"><v>${value}</v></c>`

const textCell = (name: string, text: string, style: number) =>
  `<c r="${name}"${style ? ` s="${style}"` : ''} t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_TEXT))}</t></is></c>`

function isExact(value: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(value) && value.replace(/^-?0*|\./g, '').length <= EXACT_DIGITS
}

/** Days since the calendar's beginning, 1899-12-30. */
const serialDay = (day: string): number => Math.round(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) / 86_400_000) + 25_569

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- XML cannot hold them
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
  )
}

interface Part {
  path: string
  content: Blob
  crc: number
  size: number
}

/** Everything but the sheet. */
function frame(title: string): Promise<Part[]> {
  const decimals = Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => (count ? `0.${'0'.repeat(count)}` : '0'))
  const formats = ['dd\\.mm\\.yyyy', ...decimals]
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"'
  const files: Record<string, string> = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escaped(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('')}</numFmts>` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
      `<cellXfs count="${4 + decimals.length}">${plain}/>${plain.replace('fontId="0"', 'fontId="1"')} applyFont="1"/>` +
      `${plain.replace('numFmtId="0"', 'numFmtId="164"')} applyNumberFormat="1"/>${plain} quotePrefix="1"/>` +
      `${decimals.map((_, count) => `${plain.replace('numFmtId="0"', `numFmtId="${165 + count}"`)} applyNumberFormat="1"/>`).join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  }
  return Promise.all(
    Object.entries(files).map(async ([path, xml]) => {
      const deflated = new Deflated()
      await deflated.write(DECLARATION + xml)
      return { path, ...(await deflated.finish()) }
    }),
  )
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xed_b8_83_20 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** Text on its way into the archive: compressed, counted and summed up. */
class Deflated {
  readonly #stream = new CompressionStream('deflate-raw')
  readonly #writer = this.#stream.writable.getWriter()
  readonly #content = new Response(this.#stream.readable).blob()
  readonly #encoder = new TextEncoder()
  #crc = ~0
  #size = 0

  async write(text: string): Promise<void> {
    const bytes = this.#encoder.encode(text)
    let crc = this.#crc
    for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
    this.#crc = crc
    this.#size += bytes.length
    await this.#writer.write(bytes)
  }

  async finish(): Promise<Omit<Part, 'path'>> {
    await this.#writer.close()
    return { content: await this.#content, crc: ~this.#crc >>> 0, size: this.#size }
  }
}

/** The archive (APPNOTE 6.3): each part behind its header, then the directory. */
function zip(parts: readonly Part[]): Blob {
  const files: BlobPart[] = []
  const directory: BlobPart[] = []
  let offset = 0
  let directorySize = 0
  for (const { path, content, crc, size } of parts) {
    const name = new TextEncoder().encode(path)
    // Version 2.0, names in UTF-8, deflated, 1980-01-01 00:00.
    const about = [20, 0x08_00, 8, 0, 0x21, ...halves(crc), ...halves(content.size), ...halves(size), name.length, 0]
    files.push(words([0x4b50, 0x0403, ...about]), name, content)
    directory.push(words([0x4b50, 0x0201, 20, ...about, 0, 0, 0, 0, 0, ...halves(offset)]), name)
    offset += 30 + name.length + content.size
    directorySize += 46 + name.length
  }
  const count = parts.length
  const end = words([0x4b50, 0x0605, 0, 0, count, count, ...halves(directorySize), ...halves(offset), 0])
  return new Blob([...files, ...directory, end], { type: `${TYPE}.sheet` })
}

/** A number of 32 bits as two of 16, the lower one first. */
const halves = (value: number): [number, number] => [value & 0xff_ff, value >>> 16]

function words(values: readonly number[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(values.length * 2))
  values.forEach((value, index) => view.setUint16(index * 2, value, true))
  return view.buffer
}
