/** Clicks through the built `rowkey studio` in a real browser. `npm run test:studio` runs it, after a build. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['**/*.test.ts'],
    // A limit against hanging, not a measure: the machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One browser and one studio, whose tests follow one another.
    maxWorkers: 1,
    isolate: false,
    sequence: { concurrent: false },
  },
})
