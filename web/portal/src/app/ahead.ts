/** The network has nothing else to do until the first screen is there, nor has its reader much: what comes after it is asked for first of all. */
import { followed, prepareRest } from '@/early/begin.ts'

if (followed !== undefined) prepareRest()
