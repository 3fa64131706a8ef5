import type { Column, Field } from '@/data/types.ts'

/** Which column is which field, as the server reads it; what is not shown here stays as it is. */
export interface Mapping {
  readonly columns: Readonly<Record<string, string | readonly string[]>>
  readonly constants?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly trimLeadingZeros?: readonly string[]
  readonly passThrough?: readonly string[]
  readonly decimal?: ',' | '.'
  readonly numbers?: 'plain' | 'sap'
  readonly days?: 'plain' | 'sap'
  readonly [more: string]: unknown
}

/** What a column is in place of a field: it goes back with the readings as it came. */
export const AS_IT_CAME = '*'

const named = (columns: string | readonly string[] | undefined): readonly string[] =>
  columns === undefined ? [] : typeof columns === 'string' ? [columns] : columns

/** What a column is: a field, {@link AS_IT_CAME}, or nothing. */
export function choiceOf(mapping: Mapping, column: string): string {
  if (mapping.passThrough?.includes(column)) return AS_IT_CAME
  return Object.entries(mapping.columns).find(([, columns]) => named(columns).includes(column))?.[0] ?? ''
}

const without = <T>(record: Readonly<Record<string, T>> | undefined, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => name !== key))

/** Makes a column something else. A field of several columns is what they say one after the other, in the order of the table. */
export function choose(mapping: Mapping, column: string, choice: string, table: readonly Column[]): Mapping {
  const place = (name: string) => table.findIndex((one) => one.name === name)
  const kept = Object.entries(mapping.columns)
    .map(([field, columns]) => [field, named(columns).filter((name) => name !== column)] as const)
    .filter(([, columns]) => columns.length > 0)
  const fields = new Map<string, readonly string[]>(kept)
  if (choice !== '' && choice !== AS_IT_CAME)
    fields.set(
      choice,
      [...(fields.get(choice) ?? []), column].toSorted((one, other) => place(one) - place(other)),
    )
  const passThrough = (mapping.passThrough ?? []).filter((name) => name !== column)
  if (choice === AS_IT_CAME) passThrough.push(column)
  const has = (field: string) => fields.has(field)
  return {
    ...mapping,
    columns: Object.fromEntries(
      [...fields].map(([field, columns]) => [field, columns.length === 1 ? (columns[0] ?? '') : columns]),
    ),
    constants: choice in (mapping.constants ?? {}) ? without(mapping.constants, choice) : (mapping.constants ?? {}),
    values: Object.fromEntries(Object.entries(mapping.values ?? {}).filter(([field]) => has(field))),
    trimLeadingZeros: (mapping.trimLeadingZeros ?? []).filter(has),
    passThrough,
  }
}

/** Says what a value of a field means; nothing takes it out. */
export function mean(mapping: Mapping, field: string, value: string, option: string): Mapping {
  const values = without(mapping.values?.[field], value)
  if (option !== '') values[value] = option
  return {
    ...mapping,
    values: { ...without(mapping.values, field), ...(Object.keys(values).length > 0 && { [field]: values }) },
  }
}

/** Leaves out the zeros in front of a field, or not. */
export function trim(mapping: Mapping, field: string, isTrimmed: boolean): Mapping {
  const others = (mapping.trimLeadingZeros ?? []).filter((name) => name !== field)
  return { ...mapping, trimLeadingZeros: isTrimmed ? [...others, field] : others }
}

/** Gives every line the same; nothing takes it out. */
export function fix(mapping: Mapping, field: string, value: string): Mapping {
  const constants = without(mapping.constants, field)
  return { ...mapping, constants: value === '' ? constants : { ...constants, [field]: value } }
}

/** A field without its place in a list of registers. */
const kindOf = (name: string) => name.replace(/\[\d*\]/, '[]')

/** Whether a column, or the same for every line, says the field. */
export const isSaid = (mapping: Mapping, field: string): boolean =>
  field in mapping.columns || field in (mapping.constants ?? {})

/** Which fields a line needs and has from nowhere; a register's from one of its places is enough. */
export function lacking(mapping: Mapping, fields: readonly Field[]): Field[] {
  const there = new Set([...Object.keys(mapping.columns), ...Object.keys(mapping.constants ?? {})].map(kindOf))
  const required = fields.filter(({ isRequired, name }) => isRequired && !there.has(kindOf(name)))
  return required.filter(({ name }, index) => required.findIndex((one) => kindOf(one.name) === kindOf(name)) === index)
}

/** What of a mapping names columns that the table does not have, or twice. */
export function strangers(mapping: Mapping, table: readonly Column[]): string[] {
  const known = new Set(table.filter(({ isTwice }) => !isTwice).map(({ name }) => name))
  const wanted = [...Object.values(mapping.columns).flatMap(named), ...(mapping.passThrough ?? [])]
  return [...new Set(wanted)].filter((name) => !known.has(name))
}

/** A mapping without the columns that the table does not have. */
export const fitted = (mapping: Mapping, table: readonly Column[]): Mapping =>
  strangers(mapping, table).reduce((rest, name) => choose(rest, name, '', table), mapping)

/** A mapping from a file, if it is one. */
export function parsed(text: string): Mapping | undefined {
  try {
    const document: unknown = JSON.parse(text)
    const isMapping =
      typeof document === 'object' && document !== null && 'columns' in document && typeof document.columns === 'object'
    return isMapping ? (document as Mapping) : undefined
  } catch {
    return undefined
  }
}
