/** The first that the page does, so that it hears of what comes after. */
import { watchErrors } from '@shared/api/watch-errors.ts'

watchErrors(() => import('./browser-errors.ts'))
