import '@fontsource-variable/atkinson-hyperlegible-next/wght.css'
import { addPlainZero } from '@shared/ui/plain-zero/plain-zero.ts'

addPlainZero()
