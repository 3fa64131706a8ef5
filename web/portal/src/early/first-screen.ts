let resolve: () => void

/** Resolves when the first screen can be used: what comes only now does not compete with it for the network. */
export const firstScreen = new Promise<void>((done) => {
  resolve = done
})

export const firstScreenIsThere = (): void => resolve()
