import { useEffect, useState } from 'react'
import { useApplication } from '@/data/application.ts'
import { isOnline, onConnectivity } from '@/device/connectivity.ts'
import { keepLogo, readLogo } from '@/device/last-seen.ts'

/** The tenant's logo; without a network the one that was seen last, and never the mark of a picture that is missing. */
export function Logo({ onShape }: { onShape: (isWide: boolean) => void }) {
  const { version } = useApplication()
  const address = `/api/public/application/logo.png?v=${version}`
  const [isMissing, setMissing] = useState(false)
  const kept = useKeptLogo(isMissing)
  useEffect(() => onConnectivity(() => isOnline() && setMissing(false)), [])
  const source = isMissing ? kept : address
  if (source === undefined) return null
  return (
    <img
      key={source}
      className="brand__logo"
      src={source}
      alt=""
      onLoad={({ currentTarget: logo }) => {
        onShape(logo.naturalWidth > 2 * logo.naturalHeight)
        if (source === address) void keepLogo(address)
      }}
      onError={() => setMissing(true)}
    />
  )
}

/** Address of the logo that this device keeps. */
function useKeptLogo(isWanted: boolean): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!isWanted) return
    let made: string | undefined
    let isOver = false
    const show = async () => {
      const logo = await readLogo()
      if (!logo || isOver) return
      made = URL.createObjectURL(logo)
      setAddress(made)
    }
    void show()
    return () => {
      isOver = true
      setAddress(undefined)
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [isWanted])
  return address
}
