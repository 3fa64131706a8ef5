import './counter.css'

/** A counter's wheels as an ornament; the last `decimals` of them are the red ones. */
export function Counter({ digits, decimals = 0 }: { digits: string; decimals?: number }) {
  return (
    <div className="counter" aria-hidden="true">
      {Array.from(digits, (digit, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- a wheel is its place
          key={index}
          className={index < digits.length - decimals ? 'counter__wheel' : 'counter__wheel counter__wheel--decimal'}
        >
          {digit}
        </span>
      ))}
    </div>
  )
}
