/** The utility's side: its command line on the data of the running product. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Where cargo puts the programs. */
export const target = process.env['CARGO_TARGET_DIR'] ?? fileURLToPath(new URL('../../../target', import.meta.url))

/** Runs `zaehlwerk` with these words, and returns what it prints. */
export async function operate(...words: string[]): Promise<string> {
  const env = { ...process.env, ...(JSON.parse(process.env['ZW_OPERATOR'] ?? '{}') as Record<string, string>) }
  const { stdout } = await promisify(execFile)(`${target}/debug/zaehlwerk`, words, { env, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
