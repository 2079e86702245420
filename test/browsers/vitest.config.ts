/** Opens the built site and clicks through the built `rowkey studio`: `npm run test:browsers`, after `npm run build` and `npm run site`. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'browsers',
    include: ['**/*.test.ts'],
    globalSetup: 'unpack-browser.ts',
    // Browsers mostly wait.
    maxWorkers: 2,
    // A limit against hanging, not a measure: the machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
