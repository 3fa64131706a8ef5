import { Drawing } from '@shared/ui/icon.tsx'

/** The icon of what ends an access. */
export const Trash = () => (
  <Drawing size={1.25}>
    <path d="M4 6.500h16M9 6.500V4h6v2.500M6 6.500l1 14h10l1-14M10 10.500v6M14 10.500v6" />
  </Drawing>
)
