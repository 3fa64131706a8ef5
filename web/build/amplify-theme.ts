import type { Plugin } from 'vite'

/** What stands in the place of each of Amplify's files (D-PORTAL-5). */
const REPLACED: Record<string, string> = {
  '/@aws-amplify/ui/dist/esm/theme/createTheme/createTheme.mjs': `
    import { defaultTheme } from '../defaultTheme.mjs'
    export const createTheme = () => defaultTheme`,
  '/@aws-amplify/ui/dist/esm/theme/tokens/index.mjs': 'export const tokens = {}, reactNativeTokens = {}',
  // It names the custom properties of the tokens.
  '/lodash/kebabCase.js': 'export default (name) => name',
}

/**
 * Amplify puts its theme together in the browser, for components whose look is given by their props. Ours have theirs from the
 * stylesheet, and need nothing but the breakpoints.
 */
export const amplifyTheme = (): Plugin => ({
  name: 'amplify-theme',
  apply: 'build',
  load: (id) => Object.entries(REPLACED).find(([path]) => id.endsWith(path))?.[1],
})
