/** The items of a list in a document. They have no ids: the one that is meant is known by what it was when it was shown. */
import { useState } from 'react'
import { isObject, type Json, type JsonObject } from './documents.ts'

/** What was shown is not there any more: another member has changed it meanwhile. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** Whether a value says all that is wanted: the server adds what was left out, and leaves out what is nothing. */
function says(found: Json | undefined, wanted: Json | undefined): boolean {
  if (Array.isArray(wanted)) {
    const [items, all] = [found as readonly Json[], wanted as readonly Json[]]
    return Array.isArray(found) && items.length === all.length && all.every((one, place) => says(items[place], one))
  }
  if (isObject(wanted)) return isObject(found) && Object.entries(wanted).every(([name, one]) => says(found[name], one))
  return (found ?? null) === (wanted ?? null)
}

/** Whether two values say the same. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean => says(one, other) && says(other, one)

/** Changes single items of the list as it has become meanwhile. */
export class Items {
  /** What became of items by this page's own changes, which it need not show yet when the next one comes. */
  readonly #histories: JsonObject[][] = []

  /** The list with a change of the item that was shown at a place; throws [`Overtaken`]. */
  with<Item extends JsonObject>(
    now: readonly Item[],
    place: number,
    shown: Item,
    change: (item: Item) => Item,
  ): readonly Item[] {
    const found = this.#placeOf(now, place, shown)
    return now.map((item, at) => {
      if (at !== found) return item
      const made = change(item)
      const history = this.#historyOf(shown)
      if (history) history.push(item, made)
      else this.#histories.push([shown, item, made])
      return made
    })
  }

  /** The list without the item that was shown at a place; throws [`Overtaken`]. */
  without<Item extends JsonObject>(now: readonly Item[], place: number, shown: Item): readonly Item[] {
    const found = this.#placeOf(now, place, shown)
    return now.filter((_, at) => at !== found)
  }

  #historyOf(shown: JsonObject): JsonObject[] | undefined {
    return this.#histories.find((forms) => forms.some((form) => isSame(form, shown)))
  }

  #placeOf(now: readonly JsonObject[], place: number, shown: JsonObject): number {
    const forms = this.#historyOf(shown) ?? []
    const later = forms.slice(forms.findLastIndex((form) => isSame(form, shown)) + 1)
    const isMeant = (item: JsonObject | undefined) => isSame(item, shown) || later.some((form) => says(item, form))
    // Of two that say the same it is the one at that place.
    const found = isMeant(now[place]) ? place : now.findIndex(isMeant)
    if (found < 0) throw new Overtaken()
    return found
  }
}

/** The items of one list of the page. */
export const useItems = (): Items => useState(() => new Items())[0]
