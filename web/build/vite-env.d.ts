/// <reference types="vite/client" />

declare module 'virtual:amplify.css'
declare module 'virtual:portal-texts/*' {
  const texts: Readonly<Record<string, string>>
  export default texts
}
