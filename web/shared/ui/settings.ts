import { useSyncExternalStore } from 'react'
import { CONTRAST_KEY, LANGUAGE_KEY } from './setting-keys.ts'

/*
 * The reader's choices that must be known before the first paint; all else lives in IndexedDB or in memory.
 * A browser that refuses the storage keeps them until the page is left.
 */
const chosen = new Map<string, string>()
const listeners = new Set<() => void>()

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return chosen.get(key) ?? null
  }
}

function write(key: string, value: string): void {
  chosen.set(key, value)
  try {
    localStorage.setItem(key, value)
  } catch {
    // Kept in memory above.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language that the reader chose, if any. */
export const chosenLanguage = (): string | null => read(LANGUAGE_KEY)

/** Remembers the reader's language. */
export const chooseLanguage = (language: string): void => write(LANGUAGE_KEY, language)

/** High contrast: the reader's choice, else what the system asks for. */
export const isHighContrast = (): boolean =>
  (read(CONTRAST_KEY) ?? (matchMedia('(prefers-contrast: more)').matches ? 'more' : 'normal')) === 'more'

/** Remembers the contrast and applies it. */
export function chooseContrast(high: boolean): void {
  write(CONTRAST_KEY, high ? 'more' : 'normal')
  applyContrast()
}

/** Puts the contrast where the stylesheets look for it. */
export function applyContrast(): void {
  if (isHighContrast()) document.documentElement.dataset['contrast'] = 'more'
  else delete document.documentElement.dataset['contrast']
}

/** Whether high contrast is on. */
export const useHighContrast = (): boolean => useSyncExternalStore(subscribe, isHighContrast)
