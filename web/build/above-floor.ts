/** What of a built file browsers at the floor do not know, by the data of MDN. */

import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { parse } from 'acorn'
import { full } from 'acorn-walk'
import { floor } from './floor.ts'

/** The newest ECMAScript whose syntax all of them read; regular expressions are read, too. */
const SYNTAX = 2023

const BROWSERS = [...Object.entries(floor), ['safari_ios', floor.safari]] as [
  keyof CompatStatement['support'],
  string,
][]

/** The versions that brought it, whole or in parts, to those who changed no setting. */
const introductions = (statement: CompatStatement, browser: keyof CompatStatement['support']) =>
  [statement.support[browser] ?? []]
    .flat()
    .filter(({ version_removed, flags }) => !version_removed && !flags)
    .flatMap(({ version_added, partial_implementation }) =>
      typeof version_added === 'string' && version_added !== 'preview'
        ? [{ version: version_added.replace('≤', ''), isWhole: !partial_implementation }]
        : [],
    )

const releases = (statement: CompatStatement, browser: keyof CompatStatement['support']) =>
  introductions(statement, browser)
    .filter(({ isWhole }) => isWhole)
    .map(({ version }) => version)

/** Members of the web's interfaces that a version of a browser does not have at all; whether it is one of the interface itself. */
export const lackedBy = (browser: keyof CompatStatement['support'], latest: string) =>
  Object.entries(globals).flatMap(([owner, node]) =>
    membersOf(node)
      .filter(([name]) => !name.endsWith('_event'))
      .filter(
        ([, { __compat }]) =>
          __compat && !introductions(__compat, browser).some(({ version }) => isUpTo(version, latest)),
      )
      .map(([name]) => ({
        owner,
        member: name.replace(/_static$/, ''),
        isStatic: name.endsWith('_static') || owner in builtins,
      })),
  )

const isUpTo = (version: string, most: string) => version.localeCompare(most, 'en', { numeric: true }) <= 0

const isAtFloor = (statement: CompatStatement) =>
  BROWSERS.every(([browser, most]) => releases(statement, browser).some((version) => isUpTo(version, most)))

/** A developer who tries it in today's browsers takes it for granted; what one of them lacks is not used without asking first. */
const isTempting = (statement: CompatStatement) =>
  BROWSERS.every(([browser]) => releases(statement, browser).length > 0) && !isAtFloor(statement)

const membersOf = (node: Identifier): [name: string, member: Identifier][] =>
  Object.entries(node).filter(([name]) => name !== '__compat') as [string, Identifier][]

/** Interfaces that no page of ours meets, whose members have everyday names. */
const ELSEWHERE = /^(CSS|GPU|Highlight|Largest|ML|Navigation|RTC|Speech|WebGL|XR)/

const builtins = bcd.javascript['builtins'] ?? {}
const globals = { ...bcd.api, ...builtins } as Record<string, Identifier>

/** Names that are above the floor wherever they mean something. */
const names = new Map<string, boolean>()
for (const [name, node] of Object.entries(globals).filter(([name]) => !ELSEWHERE.test(name))) {
  for (const [member, { __compat }] of [[name, node] as const, ...membersOf(node)]) {
    const spoken = member.replace(/_(static|event)$/, '')
    if (__compat && !member.endsWith('_event')) names.set(spoken, (names.get(spoken) ?? true) && isTempting(__compat))
  }
}

const isAbove = ({ __compat }: Partial<Identifier> = {}) => __compat !== undefined && isTempting(__compat)

/** Members and globals of a script that are above the floor, by their names; syntax above it is an error. */
export function apisAboveFloor(script: string): string[] {
  const found = new Set<string>()
  full(parse(script, { ecmaVersion: SYNTAX, sourceType: 'module' }), (node: unknown) => {
    const { type, name, object, property, computed } = node as {
      type: string
      name: string
      object: { name?: string }
      property: { name?: string }
      computed: boolean
    }
    // What is minified has names of its own, and they are short.
    if (type === 'Identifier' && name.length > 3 && /^[A-Z]/.test(name) && names.get(name)) found.add(name)
    if (type !== 'MemberExpression' || computed || !property.name) return
    const owner = globals[object.name ?? '']
    // Members of an interface's own are marked in the one part of the data, and not in the other.
    const member = owner?.[`${property.name}_static`] ?? owner?.[property.name]
    if (isAbove(member)) found.add(`${object.name}.${property.name}`)
    else if (names.get(property.name)) found.add(property.name)
  })
  return [...found]
}

const { properties, selectors, 'at-rules': atRules } = bcd.css as Record<string, Identifier>

/** Properties, selectors and rules of a minified style sheet that are above the floor. */
export function stylesAboveFloor(css: string): string[] {
  const rules = css.replaceAll(/"[^"]*"|url\([^)]*\)/g, '')
  // A colon stands before a value, too.
  const preludes = rules.match(/[^{};]+(?=\{)/g)?.join('\n') ?? ''
  const of = (node: Identifier | undefined, text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)]
      .filter(([, name = '']) => isAbove(node?.[name] as Identifier))
      .map(([, name = '']) => name)
  return [
    ...new Set([
      ...of(properties, rules, /[{;]([a-z][a-z-]*):/g),
      ...of(selectors, preludes, /::?([a-z][a-z-]*)/g),
      ...of(atRules, rules, /@([a-z][a-z-]*)/g),
    ]),
  ]
}
