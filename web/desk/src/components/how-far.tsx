import { useEffect, useRef, useState } from 'react'

interface Props {
  /** Nothing while nothing goes on. */
  text: string | undefined
  /** What is said anew when it changes: a quarter, a stage. */
  step: string
}

/** How far something is: seen at each look, and read out at each step only. The place is there before its words, or they would not be read out. */
export function HowFar({ text, step }: Props) {
  const place = useRef<HTMLParagraphElement>(null)
  const [said, setSaid] = useState({ step, text })
  if (said.step !== step) setSaid({ step, text })
  useEffect(() => {
    if (place.current) place.current.textContent = said.text ?? ''
  }, [said.text])
  return (
    <>
      {text && <p>{text}</p>}
      <p ref={place} role="status" className="visually-hidden" />
    </>
  )
}

/** The quarter that a part from 0 to 1 has reached. */
export const quarterOf = (part: number): number => Math.floor(part * 4)
