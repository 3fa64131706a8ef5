import type { MeterType } from '@shared/contract/types.ts'
import { Icon, type IconName } from './icon.tsx'
import './meter-icon.css'

const ICONS: Record<MeterType, IconName> = {
  ELECTRIC_METER: 'bolt',
  GAS_METER: 'flame',
  HEAT_METER: 'heat',
  WATER_METER: 'drop',
  WATER_WARM_METER: 'dropWarm',
  GENERIC_METER: 'gauge',
}

/** The sign of a meter type in its own tint; decorative, the type's name stands beside it. */
export function MeterIcon({ type, size = 'medium' }: { type: MeterType; size?: 'medium' | 'large' }) {
  return (
    <span className={`meter-icon meter-icon--${size} meter-icon--${type.toLowerCase().replaceAll('_', '-')}`}>
      <Icon name={ICONS[type]} size={size === 'large' ? 1.75 : 1.375} />
    </span>
  )
}
