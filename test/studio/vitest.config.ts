/** Clicks through `rowkey studio` in a real browser; needs its own npm ci and a build. `npm run test:studio` runs it. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { alias } from '../../vitest.config.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { alias },
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One browser and one studio, whose tests follow one another.
    maxWorkers: 1,
    isolate: false,
    sequence: { concurrent: false },
  },
})
