import type common from './de-FORMAL/common.json'
import type errors from './de-FORMAL/errors.json'

/** The areas of texts and their keys; an application adds its own. */
export interface TextAreas {
  common: typeof common
  errors: typeof errors
}
