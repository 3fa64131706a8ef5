import { mergeConfig } from 'vite'
import { api, application } from '../build/application.ts'
import { portalTexts } from '../build/portal-texts.ts'

/** The login is the API's, too. */
const login = Object.fromEntries(['/desk/login', '/desk/callback', '/desk/logout'].map((path) => [path, api]))

export default mergeConfig(application('desk'), {
  plugins: [portalTexts()],
  server: { port: Number(process.env['ZW_DESK_PORT'] ?? 5174), proxy: login },
})
