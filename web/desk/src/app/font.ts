import '@fontsource-variable/atkinson-hyperlegible-next/wght.css'
import '@shared/ui/plain-zero/plain-zero.ts'
