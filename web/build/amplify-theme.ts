import type { Plugin } from 'vite'

/** Where Amplify has the names of the props that give a look. */
export const STYLE_PROPS = '/@aws-amplify/ui-react/dist/esm/primitives/types/style.mjs'

/** What stands in the place of each of Amplify's files (D-PORTAL-5). */
const REPLACED: Record<string, string> = {
  '/@aws-amplify/ui/dist/esm/theme/createTheme/createTheme.mjs': `
    import { defaultTheme } from '../defaultTheme.mjs'
    export const createTheme = () => defaultTheme`,
  '/@aws-amplify/ui/dist/esm/theme/tokens/index.mjs': 'export const tokens = {}, reactNativeTokens = {}',
  // For the sake of props that we do not use, each of its elements would ask six media queries when it appears, and be rendered twice.
  '/@aws-amplify/ui-react/dist/esm/primitives/shared/styleUtils.mjs': `
    export const useStyles = (props, style) => ({ propStyles: style, nonStyleProps: props })`,
  [STYLE_PROPS]: 'export const ComponentPropsToStylePropsMap = {}, ComponentPropsToStylePropsMapKeys = []',
  // It names the custom properties of the tokens.
  '/lodash/kebabCase.js': 'export default (name) => name',
}

/**
 * Amplify puts its theme together in the browser, for components whose look is given by their props. Ours have theirs from the
 * stylesheet, and need none of it.
 */
export const amplifyTheme = (): Plugin => ({
  name: 'amplify-theme',
  apply: 'build',
  load: (id) => Object.entries(REPLACED).find(([path]) => id.endsWith(path))?.[1],
  transform: (code, id) => (id.endsWith(CLASS_NAMES) ? withoutUnused(code) : undefined),
})

/** The names of the classes of all 60 components, in one object that no bundler takes apart. */
const CLASS_NAMES = '/@aws-amplify/ui/dist/esm/types/primitives/componentClassName.mjs'

/** What the names begin with of the components that we use, and of those that these are made of. */
const USED =
  /^ {4}(?:Button|Checkbox|Field|Flex|Icon|Input|Label|Loader|Password|Radio|Search|Select|Text|VisuallyHidden)/

const withoutUnused = (code: string): string =>
  code
    .split('\n')
    .filter((line) => !/^ {4}\w+:/.test(line) || USED.test(line))
    .join('\n')
