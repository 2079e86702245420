import { defineConfig } from 'vitest/config'
import { common, project } from '../../vitest.config.ts'

/** Puts something else in the place of globals, which others must not meet. */
const patchedGlobals = 'test/peers/msw.test.ts'

export default defineConfig({
  test: {
    maxWorkers: common.maxWorkers,
    experimental: common.experimental,
    projects: [
      project({ name: 'peers', include: ['test/peers/*.test.ts'], exclude: [patchedGlobals] }),
      project({ name: 'peers with patched globals', include: [patchedGlobals], isolate: true }),
    ],
  },
})
