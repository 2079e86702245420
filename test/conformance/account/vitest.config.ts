import { defineConfig } from 'vitest/config'
import { alias } from '../../../vitest.config.ts'

/** The scenarios on an account: `npm run tool conformance`. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/conformance/account/account.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
