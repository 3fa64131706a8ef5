/**
 * Amplify's theme in our terms: every colour is one of the custom properties of `shared/ui/tokens.css`, which the tenant's
 * colours and the contrast mode change in one place.
 */
const value = (text: string) => ({ value: text })

const status = (name: 'info' | 'warning' | 'error' | 'success') => value(`var(--zw-${name}-ink)`)

export const theme = {
  name: 'zaehlwerk',
  tokens: {
    fonts: {
      default: {
        variable: value('var(--zw-font)'),
        static: value('var(--zw-font)'),
      },
    },
    colors: {
      primary: {
        10: value('var(--zw-primary-soft)'),
        20: value('var(--zw-primary-soft)'),
        40: value('var(--zw-primary-line)'),
        60: value('var(--zw-primary-line)'),
        80: value('var(--zw-primary)'),
        90: value('var(--zw-primary-strong)'),
        100: value('var(--zw-primary-strong)'),
      },
      font: {
        primary: value('var(--zw-ink)'),
        secondary: value('var(--zw-ink-soft)'),
        tertiary: value('var(--zw-ink-soft)'),
        disabled: value('var(--zw-ink-faint)'),
        inverse: value('var(--zw-on-primary)'),
        interactive: value('var(--zw-link)'),
        hover: value('var(--zw-link)'),
        focus: value('var(--zw-ink)'),
        active: value('var(--zw-ink)'),
        info: status('info'),
        warning: status('warning'),
        error: status('error'),
        success: status('success'),
      },
      background: {
        primary: value('var(--zw-surface)'),
        secondary: value('var(--zw-page)'),
        tertiary: value('var(--zw-sunken)'),
        disabled: value('var(--zw-sunken)'),
        info: value('var(--zw-info-soft)'),
        warning: value('var(--zw-warning-soft)'),
        error: value('var(--zw-error-soft)'),
        success: value('var(--zw-success-soft)'),
      },
      border: {
        primary: value('var(--zw-line-strong)'),
        secondary: value('var(--zw-line)'),
        tertiary: value('var(--zw-line)'),
        focus: value('var(--zw-focus)'),
        error: value('var(--zw-error-ink)'),
        disabled: value('var(--zw-line)'),
      },
    },
    radii: { small: value('0.625rem'), medium: value('0.875rem'), large: value('1.25rem') },
    borderWidths: { small: value('var(--zw-hairline)') },
    components: {
      button: {
        fontWeight: value('{fontWeights.semibold.value}'),
        primary: {
          backgroundColor: value('var(--zw-primary)'),
          color: value('var(--zw-on-primary)'),
          _disabled: { color: value('var(--zw-ink-soft)'), borderColor: value('var(--zw-disabled-line)') },
          _loading: { color: value('var(--zw-ink-soft)') },
          _focus: { boxShadow: value('none') },
        },
        _disabled: { color: value('var(--zw-ink-soft)') },
        _loading: { color: value('var(--zw-ink-soft)') },
        _focus: { boxShadow: value('none') },
        link: { color: value('var(--zw-link)'), _focus: { boxShadow: value('none') } },
      },
      card: {
        borderRadius: value('{radii.large.value}'),
        padding: value('{space.large.value}'),
        outlined: {
          borderRadius: value('{radii.large.value}'),
          borderColor: value('var(--zw-line)'),
        },
      },
      fieldcontrol: {
        paddingBlockStart: value('0.6875rem'),
        paddingBlockEnd: value('0.6875rem'),
        // The focus is shown by one outline for everything, in base.css.
        _focus: { boxShadow: value('none') },
        _error: { color: value('var(--zw-ink)'), _focus: { boxShadow: value('none') } },
      },
    },
  },
}

/** The stylesheets of the primitives that the applications use. */
export const amplifyComponents = [
  'button',
  'checkbox',
  'checkboxField',
  'field',
  'fieldGroup',
  'fieldMessages',
  'fieldset',
  'flex',
  'icon',
  'input',
  'loader',
  'passwordField',
  'radio',
  'radioGroupField',
  'radiogroup',
  'searchField',
  'select',
  'selectField',
  'text',
  'textArea',
  'textAreaField',
  'textField',
  'visuallyHidden',
]

/** Of these: variations that no application uses, by their classes (`theme.test.ts`). */
export const unusedVariations =
  /\.amplify-(?:button--(?:\w+--|menu|warning)|[\w-]+--(?:quiet|linear|determinate|truncated))/
