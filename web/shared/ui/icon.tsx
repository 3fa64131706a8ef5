import type { ReactNode } from 'react'

/** Drawn on 24 by 24 with a stroke of 1.75, so that all of them weigh the same. */
const shapes = {
  back: <path d="M15 5l-7 7 7 7" />,
  calendar: (
    <path d="M6.500 5h11a3 3 0 0 1 3 3v9.500a3 3 0 0 1-3 3h-11a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3zM3.500 10h17M8 2.500V6.500M16 2.500V6.500" />
  ),
  chart: <path d="M4 4v16h16M8 15l3.500-4.500 3 2.500L19.500 7" />,
  check: <path d="M5 12.500l4.500 4.500L19 7.500" />,
  checkCircle: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M8 12.250l2.750 2.750L16 9.500" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5.250l3.250 2" />
    </>
  ),
  close: <path d="M6 6l12 12M18 6L6 18" />,
  contrast: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 3v18a9 9 0 0 0 0-18z" fill="currentColor" />
    </>
  ),
  counter: (
    <>
      <rect x="2.500" y="6.500" width="19" height="11" rx="2.500" />
      <path d="M8.750 6.500v11M15.250 6.500v11M5.500 12h.5M11.750 12h.5M18 12h.5" />
    </>
  ),
  error: (
    <>
      <path d="M8.250 3h7.500L21 8.250v7.500L15.750 21h-7.500L3 15.750v-7.500z" />
      <path d="M12 7.500v5.500M12 16.250v.25" />
    </>
  ),
  forward: <path d="M9 5l7 7-7 7" />,
  globe: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18" />
    </>
  ),
  home: <path d="M3.500 11 12 4l8.500 7M6 9.500V20h12V9.500M10 20v-5.500h4V20" />,
  info: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5.500M12 7.750v.25" />
    </>
  ),
  help: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M9.250 9.500a2.750 2.750 0 1 1 4 2.450c-.9.5-1.250 1-1.250 2.050M12 16.750v.25" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.500" r="4.500" />
      <path d="M11.250 12.250 20 3.500M16.500 7l3 3M14 9.500l2 2" />
    </>
  ),
  logout: (
    <path d="M14 4H6.500A1.500 1.500 0 0 0 5 5.500v13A1.500 1.500 0 0 0 6.500 20H14M10 12h10.500M17 8.500l3.500 3.500-3.500 3.500" />
  ),
  mail: (
    <>
      <rect x="3" y="5.500" width="18" height="13" rx="2.500" />
      <path d="M3.500 7.500l8.500 6 8.500-6" />
    </>
  ),
  offline: (
    <path d="M4 4l16 16M8.500 16a5 5 0 0 1 5.250-1.250M5.250 12.500a9.500 9.500 0 0 1 4.500-2.500M2 9a14 14 0 0 1 4.250-2.750M10.500 5.100A14 14 0 0 1 22 9M15.250 10.600a9.500 9.500 0 0 1 3.500 1.900M12 19.500v.25" />
  ),
  plus: <path d="M12 5v14M5 12h14" />,
  qr: (
    <>
      <rect x="3.500" y="3.500" width="6.500" height="6.500" rx="1" />
      <rect x="14" y="3.500" width="6.500" height="6.500" rx="1" />
      <rect x="3.500" y="14" width="6.500" height="6.500" rx="1" />
      <path d="M14 14h2.500v2.500M20.500 14v.25M14 20.500h.25M17.500 20.500h3V17.500" />
    </>
  ),
  search: (
    <>
      <circle cx="10.500" cy="10.500" r="6.500" />
      <path d="M15.500 15.500l5 5" />
    </>
  ),
  share: (
    <>
      <circle cx="6" cy="12" r="2.750" />
      <circle cx="17.500" cy="5.750" r="2.750" />
      <circle cx="17.500" cy="18.250" r="2.750" />
      <path d="M8.500 10.750 15 7.250M8.500 13.250l6.500 3.500" />
    </>
  ),
  user: (
    <>
      <circle cx="12" cy="8" r="4.250" />
      <path d="M4 20.500c1-4.250 4-6 8-6s7 1.750 8 6" />
    </>
  ),
  warning: (
    <>
      <path d="M12 3.500 21.500 20h-19z" />
      <path d="M12 10v4.500M12 17v.25" />
    </>
  ),
} satisfies Record<string, ReactNode>

/** Name of an icon. */
export type IconName = keyof typeof shapes

interface Props {
  /** Side in rem. */
  size?: number
  className?: string
}

/** A decorative icon in the colour of the text around it; the text says what it means. */
export function Icon({ name, ...props }: Props & { name: IconName }) {
  return <Drawing {...props}>{shapes[name]}</Drawing>
}

/**
 * The same with a shape of the caller's, which the first screen does not fetch. How it is drawn stands in the style sheet: attributes of its own
 * for each are what a long list's rows would be made of.
 */
export function Drawing({ size = 1.5, className, children }: Props & { children: ReactNode }) {
  return (
    <svg
      className={className ? `icon ${className}` : 'icon'}
      width={`${size}rem`}
      height={`${size}rem`}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
