import { useEffect, useState } from 'react'

/**
 * What was there when the reader last paused: a copy of `value` that follows it after so many milliseconds without a
 * change, or at once by `settle`. While the reader types, it lags behind.
 */
export function useSettled<T>(value: T, delay: number): { settled: T; settle: () => void } {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return { settled, settle: () => setSettled(() => value) }
}
