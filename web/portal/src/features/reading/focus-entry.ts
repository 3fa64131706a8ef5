/** Makes the open meter's first field ready for typing; on some phones, only a tap whose answer this is brings the keyboard, too. */
export const focusEntry = (): void =>
  document.querySelector<HTMLInputElement>('.reading-form .counter-field input')?.focus()
