/// <reference types="vite/client" />

declare module 'virtual:amplify.css'
declare module 'virtual:portal-texts/*' {
  const texts: Readonly<Record<string, string>>
  export default texts
}
/** Puts a database in memory in the place of the browser's; the package has types that its exports do not name. */
declare module 'fake-indexeddb/auto'
