import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { cells, unzip } from '@/testing/xlsx.ts'
import { type ColumnKind, type Row, Workbook } from './xlsx.ts'

async function written(kinds: ColumnKind[], rows: Row[]): Promise<Buffer> {
  const workbook = new Workbook(
    'Excel Download',
    kinds.map((kind, index) => ({ title: `Column ${index + 1}`, kind, width: 12 })),
  )
  await workbook.add(rows)
  return Buffer.from(await (await workbook.finish()).arrayBuffer())
}

const sheetOf = async (kinds: ColumnKind[], rows: Row[]) =>
  unzip(await written(kinds, rows)).get('xl/worksheets/sheet1.xml') ?? ''

test('the archive has every part, with the right sums', async () => {
  const file = await written(['text'], [['one']])
  const parts = unzip(file)
  expect([...parts.keys()].toSorted()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(parts.get('xl/workbook.xml') ?? ''))
  expect(file.includes(sum)).toBe(true)
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Excel Download"')
})

test('days and numbers are what they are, empty cells are left out', async () => {
  const sheet = await sheetOf(
    ['date', 'number', 'text'],
    [
      ['2026-03-09', '00123.450', undefined],
      [null, '-7', ''],
    ],
  )
  expect(cells(sheet).slice(1)).toEqual([['A2=46090', 'B2=123.45'], ['B3=-7']])
  // Three decimals were on the meter, and three are shown.
  expect(sheet).toContain('<c r="B2" s="7">')
  expect(sheet).toContain('<c r="A2" s="2">')
})

test('what is no day or would lose digits stays text', async () => {
  const sheet = await sheetOf(['date', 'number'], [['soon', '1234567890123456.7']])
  expect(sheet).toContain('<c r="A2" t="inlineStr">')
  expect(sheet).toContain('<c r="B2" t="inlineStr">')
})

test.each(['=1+1', '+49 800', '-x', '@SUM(A1)', '\tcmd'])(
  '%j stays text, also when somebody edits it',
  async (text) => {
    expect(await sheetOf(['text'], [[text]])).toContain(
      `<c r="A2" s="3" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`,
    )
  },
)

test('signs of XML and of no alphabet do no harm', async () => {
  const sheet = await sheetOf(['text'], [['Müller & "Söhne" <GmbH>\u0000\u000B 🏠']])
  expect(sheet).toContain('>Müller &amp; &quot;Söhne&quot; &lt;GmbH&gt; 🏠<')
})

test('the columns after Z have two letters', async () => {
  const sheet = await sheetOf(
    Array.from({ length: 28 }, () => 'text'),
    [Array.from({ length: 28 }, (_, i) => `${i}`)],
  )
  expect(cells(sheet)[1]?.slice(25)).toEqual(['Z2=25', 'AA2=26', 'AB2=27'])
  expect(sheet).toContain('<autoFilter ref="A1:AB2"/>')
})
