interface Props {
  names: readonly string[]
  /** Those of them below which numbers stand. */
  numbers?: readonly string[]
}

/** The heads of a table's columns. */
export function Heads({ names, numbers }: Props) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" className={numbers?.includes(name) ? 'number' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
