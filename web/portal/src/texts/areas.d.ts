import '@shared/i18n/areas.d.ts'
import type accessibility from './de-FORMAL/accessibility.json'
import type communication from './de-FORMAL/communication.json'
import type devices from './de-FORMAL/devices.json'
import type evaluation from './de-FORMAL/evaluation.json'
import type exportTexts from './de-FORMAL/export.json'
import type help from './de-FORMAL/help.json'
import type home from './de-FORMAL/home.json'
import type introduction from './de-FORMAL/introduction.json'
import type jobs from './de-FORMAL/jobs.json'
import type login from './de-FORMAL/login.json'
import type offline from './de-FORMAL/offline.json'
import type photos from './de-FORMAL/photos.json'
import type publicReading from './de-FORMAL/publicReading.json'
import type reading from './de-FORMAL/reading.json'
import type registration from './de-FORMAL/registration.json'
import type sharing from './de-FORMAL/sharing.json'
import type unknownReading from './de-FORMAL/unknownReading.json'

declare module '@shared/i18n/areas.d.ts' {
  interface TextAreas {
    accessibility: typeof accessibility
    communication: typeof communication
    devices: typeof devices
    evaluation: typeof evaluation
    export: typeof exportTexts
    help: typeof help
    home: typeof home
    introduction: typeof introduction
    jobs: typeof jobs
    login: typeof login
    offline: typeof offline
    photos: typeof photos
    publicReading: typeof publicReading
    reading: typeof reading
    registration: typeof registration
    sharing: typeof sharing
    unknownReading: typeof unknownReading
  }
}
