/** Names of the reader's choices in the browser's storage. */
export const LANGUAGE_KEY = 'zaehlwerk:language'
export const CONTRAST_KEY = 'zaehlwerk:contrast'
