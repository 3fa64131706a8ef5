import './progress-bar.css'

interface Props {
  label: string
  done: number
  total: number
  /** The share in words, as it stands beside the bar. */
  text: string
}

/** How much of something is done. */
export function ProgressBar({ label, done, total, text }: Props) {
  return (
    <progress className="progress-bar" aria-label={label} aria-valuetext={text} max={Math.max(total, 1)} value={done} />
  )
}
