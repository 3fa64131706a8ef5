/** Leads to the first field that is marked as wrong, once it is; of `where`, to the first of these. */
export function focusFault(form: HTMLElement | null, where = '[aria-invalid=true]'): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>(where)?.focus())
}
