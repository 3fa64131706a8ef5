import { cloneElement, type ReactElement, type ReactNode, use, useSyncExternalStore } from 'react'
import { type Area, areaOnItsWay, currentLanguage, onLanguage, type Translate, translate } from './i18n.ts'

/** By what these say, React goes on without waiting. */
const THERE = Object.assign(Promise.resolve(), { status: 'fulfilled' })

/** The texts of an area in the reader's language, or in another one; the screen waits until they are there. */
export function useTranslation<A extends Area = 'common'>(
  area: A = 'common' as A,
  inLanguage?: string,
): { t: Translate<A>; language: string } {
  const shown = useSyncExternalStore(onLanguage, currentLanguage)
  const language = inLanguage ?? shown
  use(areaOnItsWay(area, language) ?? THERE)
  return { t: translate(area, language), language }
}

interface Props {
  /** Has tags by the names of the parts: `Until <strong>today</strong>`. */
  text: string
  /** What stands for each tag; what is between becomes its content. */
  parts: Record<string, ReactElement<{ children?: ReactNode }>>
}

/** A text of which parts are more than text. */
export function Trans({ text, parts }: Props): ReactNode {
  const [, before, name = '', inside, after] = /^(.*?)<(\w+)>(.*?)<\/\2>(.*)$/s.exec(text) ?? []
  const part = parts[name]
  if (!part || inside === undefined || after === undefined) return text
  return (
    <>
      {before}
      {cloneElement(part, {}, <Trans text={inside} parts={parts} />)}
      <Trans text={after} parts={parts} />
    </>
  )
}
