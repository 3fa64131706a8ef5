/** Filters in the address: shareable, and what is not known there is said instead of being dropped. */
import { useLocation, useSearch } from 'wouter'

/** What an address says of filters, each with the values that it may have; undefined: any. */
export type FilterTable = Readonly<Record<string, readonly string[] | undefined>>

/** The filters of the address, the unknown names and values in it, and how to change one. */
export function useFilters<T extends FilterTable>(table: T) {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const values: { [Name in keyof T]?: string } = {}
  const unknown: string[] = []
  for (const [name, value] of params) {
    const allowed = table[name]
    if (!Object.hasOwn(table, name) || (allowed && !allowed.includes(value))) unknown.push(`${name}=${value}`)
    else values[name as keyof T] = value
  }
  const set = (name: keyof T & string, value: string) => {
    if (value === '') params.delete(name)
    else params.set(name, value)
    const query = params.toString()
    navigate(query ? `${path}?${query}` : path, { replace: true })
  }
  return { values, unknown, set, query: params.toString() }
}
