import { defineConfig } from 'vitest/config'

/** The built site in a real browser: `npm run docs:site`, then this. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/*.test.ts'],
    globalSetup: 'test/unpack-browser.ts',
    // Their browsers mostly wait.
    maxWorkers: 2,
    // A limit against hanging, not a measure: the machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
