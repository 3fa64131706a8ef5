import type { ReactNode } from 'react'
import type { MeterType } from '@shared/contract/types.ts'
import { Drawing } from './icon.tsx'
import './meter-icon.css'

const SHAPES: Record<MeterType, ReactNode> = {
  ELECTRIC_METER: <path d="M13 2.500 5 13.500h6l-1 8 8-11h-6z" />,
  GAS_METER: (
    <path d="M12 2.500c.5 3.500 5.750 5.750 5.750 11.250a5.750 5.750 0 0 1-11.500 0c0-2.250 1-3.750 2.250-5 .25 1.500.75 2.250 1.750 2.750C10 8 10.500 5 12 2.500z" />
  ),
  HEAT_METER: (
    <>
      <path d="M3 9.500h18M3 18h18M6 7v13.500M10 7v13.500M14 7v13.500M18 7v13.500" />
      <path d="M9 1.500c-1 1.250 1 2 0 3.250M15 1.500c-1 1.250 1 2 0 3.250" />
    </>
  ),
  WATER_METER: <path d="M12 3c3.500 4.250 6 7.500 6 10.750a6 6 0 0 1-12 0C6 10.500 8.500 7.250 12 3z" />,
  WATER_WARM_METER: (
    <>
      <path d="M9.500 8.500c2.750 3.250 4.750 5.750 4.750 8.250a4.750 4.750 0 0 1-9.500 0c0-2.500 2-5 4.750-8.250z" />
      <path d="M16 3c-1.250 1.500 1.250 2.500 0 4M20 3c-1.250 1.500 1.250 2.500 0 4" />
    </>
  ),
  GENERIC_METER: (
    <>
      <path d="M4.500 18a9 9 0 1 1 15 0" />
      <path d="M12 14l4-5" />
      <circle cx="12" cy="14" r="1.250" />
    </>
  ),
}

/** The sign of a meter type in its own tint; decorative, the type's name stands beside it. */
export function MeterIcon({ type, size = 'medium' }: { type: MeterType; size?: 'medium' | 'large' }) {
  return (
    <Drawing
      size={size === 'large' ? 3.5 : 2.75}
      className={`meter-icon meter-icon--${size} meter-icon--${type.toLowerCase().replaceAll('_', '-')}`}
    >
      {SHAPES[type]}
    </Drawing>
  )
}
