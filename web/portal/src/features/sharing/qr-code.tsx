import { encodeQR } from 'qr'
import { useMemo } from 'react'

const BORDER = 3

/** A text as QR code, black on white in every contrast, because cameras read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { side, path } = useMemo(() => {
    const modules = encodeQR(text, 'raw', { border: BORDER, ecc: 'medium' })
    const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { side: modules.length, path: dark.join('') }
  }, [text])
  return (
    <svg className="qr-code" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
