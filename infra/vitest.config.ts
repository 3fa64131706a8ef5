import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/*.test.ts'],
    globalSetup: 'test/stages.ts',
    // Some ask git, which a busy machine lets wait.
    testTimeout: 30_000,
  },
})
