import { dayIn, type IsoDate } from '@shared/rules/window.ts'
import { useApplication } from './application.ts'

/** Today's date where the tenant's days begin and end. */
export const useToday = (): IsoDate => todayIn(useApplication().timeZone)

const todayIn = (timeZone: string): IsoDate => dayIn(timeZone, new Date())
