/** Reads a workbook of one sheet, as far as the tests look at it. */
import { inflateRawSync } from 'node:zlib'

/** The archive's parts: path to content. */
export function unzip(file: Buffer): Map<string, string> {
  const parts = new Map<string, string>()
  const end = file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  let at = file.readUInt32LE(end + 16)
  for (let count = file.readUInt16LE(end + 10); count > 0; count -= 1) {
    const packed = file.readUInt32LE(at + 20)
    const nameLength = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + 46, at + 46 + nameLength)
    const local = file.readUInt32LE(at + 42)
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    parts.set(name, inflateRawSync(file.subarray(begin, begin + packed)).toString('utf8'))
    at += 46 + nameLength
  }
  return parts
}

/** The sheet's rows: each cell as `A1=content`. */
export function cells(sheet: string): string[][] {
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c r="([A-Z]+\d+)"[^>]*>(?:<v>|<is><t[^>]*>)(.*?)</gs)].map(
      ([, name, content]) => `${name}=${content}`,
    ),
  )
}
