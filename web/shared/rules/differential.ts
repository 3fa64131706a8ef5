/**
 * The differential run: golden inputs, changed at random, through the rules of both languages. Both must answer the same.
 *
 * Usage: `npm run differential [SEED] [CHANGES]`, after `cargo build --workspace --example answers`. The same seed makes the same inputs. The exit
 * code is 1 at a difference, and when too few inputs were in the shape of the wire to say anything.
 */
import { spawnSync } from 'node:child_process'
import { argv, env, exit } from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { canonical, fixtures, rules } from './golden.ts'

const [seed = 1, changesOfCase = 200] = argv.slice(2).map(Number)
/** Less than this share of inputs in the shape of the wire: the changes miss what the rules look at. */
const LEAST_SHARE = 0.75
const SHOWN_OF_RULE = 3

const TARGET = env['CARGO_TARGET_DIR'] ?? new URL('../../../target', import.meta.url).pathname

/** Characters about which languages and libraries disagree, and those that the rules look for. */
const CHARACTERS = Array.from(
  ' \t\n\0\u0085\u00a0\u1680\u180e\u2003\u200b\u2028\u2029\u3000\ufeff0459٣².,:*-+/@_\'’"<éßſİıﬁ中😀\u0301aAzZ',
)

/** Mulberry32: small, and good enough to choose by. */
function randomNumbers(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomNumbers(seed)
const below = (limit: number) => Math.floor(random() * limit)
const oneOf = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[below(list.length)] as T

type Container = unknown[] | Record<string, unknown>

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** The values that a member of this name has anywhere in the cases. */
type Pool = Map<string, unknown[]>

function collect(pool: Pool, name: string, value: unknown): void {
  pool.set(name, [...(pool.get(name) ?? []), value])
  if (Array.isArray(value)) for (const item of value) collect(pool, `${name}[]`, item)
  else if (isContainer(value)) for (const [member, inner] of Object.entries(value)) collect(pool, member, inner)
}

/** Changes one place of the input: containers on the way are as likely as what is in them. */
function change(input: Container, pool: Pool, name = ''): void {
  const keys = Object.keys(input)
  if (keys.length === 0) return
  const key = oneOf(keys)
  const member = Array.isArray(input) ? `${name}[]` : key
  const slots = input as Record<string, unknown>
  const value = slots[key]
  if (isContainer(value) && random() < 0.85) return change(value, pool, member)
  if (Array.isArray(input) && random() < 0.2) {
    if (random() < 0.5) input.splice(Number(key), 1)
    else input.splice(below(input.length + 1), 0, structuredClone(value))
  } else if (!Array.isArray(input) && random() < 0.05) slots[key] = null
  else slots[key] = changed(value, structuredClone(oneOf(pool.get(member) ?? [value])))
}

function changed(value: unknown, other: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (random() < 0.3 || isContainer(value)) return other
  if (typeof value === 'number') return Math.max(0, oneOf([value - 1, value + 1, 0, 255, value * 10]))
  return typeof value === 'string' ? changedText(value) : other
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function changedText(text: string): string {
  if (DAY.test(text)) {
    const days = oneOf([-400, -31, -30, -29, -2, -1, 1, 2, 29, 30, 31, 400])
    return new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10)
  }
  const characters = Array.from(text)
  const at = below(characters.length + 1)
  const oneMore = oneOf(CHARACTERS)
  switch (below(6)) {
    case 0:
      return characters.toSpliced(at, 1).join('')
    case 1:
      return characters.toSpliced(at, 1, oneMore).join('')
    case 2:
      return oneMore + text + oneMore
    case 3:
      return oneMore.repeat(below(5))
    case 4:
      return characters.toSpliced(at, 0, ...characters.slice(0, below(characters.length + 1))).join('')
    default:
      return characters.toSpliced(at, 0, oneMore).join('')
  }
}

/** With what cannot be seen escaped. */
const inOneLine = (value: unknown) =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The places where an input differs from its case, and what is there. */
function changesIn(before: unknown, after: unknown, place: string): string[] {
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return isDeepStrictEqual(before, after) ? [] : [`${place} = ${inOneLine(after)}`]
  }
  const slots = [before, after] as Record<string, unknown>[]
  const keys = new Set(slots.flatMap(Object.keys))
  return [...keys].flatMap((key) => changesIn(slots[0]?.[key], slots[1]?.[key], `${place}/${key}`))
}

/** What the Rust rules answer: a list of one for each line, or of none where the input is not in the shape of the wire. */
function rustAnswers(questions: readonly (readonly [string, unknown])[]): unknown[][] {
  const { status, stdout, stderr, error } = spawnSync(`${TARGET}/debug/examples/answers`, {
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (status !== 0) throw error ?? new Error(stderr)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[])
}

function webAnswer(rule: string, input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(rules[rule]?.(input as never)))
  } catch (error) {
    return `throws: ${String(error)}`
  }
}

/** What came of the inputs of one rule. */
interface Tally {
  asked: number
  compared: number
  different: number
}

const began = performance.now()
const tallies = new Map<string, Tally>()
const differences: string[] = []
for (const { title, rule, cases } of fixtures) {
  const pool: Pool = new Map()
  for (const { input } of cases) collect(pool, '', input)
  const changedCases = cases.flatMap((original) =>
    Array.from({ length: changesOfCase }, () => {
      const input = structuredClone(original.input) as Container
      for (let left = 1 + below(3); left > 0; left -= 1) change(input, pool)
      return { original, input }
    }),
  )
  const answers = rustAnswers(changedCases.map(({ input }) => [rule, input]))
  const tally = tallies.get(rule) ?? { asked: 0, compared: 0, different: 0 }
  tallies.set(rule, tally)
  for (const [index, { original, input }] of changedCases.entries()) {
    tally.asked += 1
    if (answers[index]?.length !== 1) continue
    tally.compared += 1
    const rust = canonical(answers[index][0])
    const web = canonical(webAnswer(rule, input))
    if (isDeepStrictEqual(rust, web)) continue
    tally.different += 1
    if (tally.different > SHOWN_OF_RULE) continue
    const changes = changesIn(original.input, input, '')
    const answered = [`rust: ${inOneLine(rust)}`, `web: ${inOneLine(web)}`]
    differences.push([`${title}: ${original.name}`, ...changes, ...answered].join('\n  '))
  }
}
const sum = (count: keyof Tally) => [...tallies.values()].reduce((total, tally) => total + tally[count], 0)
console.table(Object.fromEntries(tallies))
console.log(`seed ${seed}: ${sum('asked')} inputs, ${sum('compared')} compared, ${sum('different')} different`)
console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`)
for (const difference of differences) console.error(difference)
if (sum('different') > 0 || sum('compared') < sum('asked') * LEAST_SHARE) exit(1)
