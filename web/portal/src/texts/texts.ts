import { startTexts as start, type TextOptions, type Texts } from '@shared/i18n/i18n.ts'

const files = import.meta.glob<Texts>('./*/*.json', { import: 'default' })

/** Starts the portal's texts; of its areas the login's are there at once. */
export const startTexts = (options: Omit<TextOptions, 'files' | 'areas'>): Promise<void> =>
  start({ ...options, files, areas: ['login'] })
