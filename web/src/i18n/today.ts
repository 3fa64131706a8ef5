import { useApplication } from '@/api/application.ts'
import { dayIn, type IsoDate } from '@/rules/window.ts'

/** Today's date where the tenant's days begin and end. */
export const useToday = (): IsoDate => todayIn(useApplication().timeZone)

const todayIn = (timeZone: string): IsoDate => dayIn(timeZone, new Date())
