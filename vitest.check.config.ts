/**
 * What `npm test` leaves out: `npm run test:commands` runs what takes long, and shows the same whatever compiles decorators. The project
 * `commands` is part of `npm run check`; the other compilers run each night, by `npm run tool decorators`.
 */
import { defineConfig } from 'vitest/config'
import { byOtherCompilers, commands, common, project } from './vitest.config.ts'

export default defineConfig({
  test: {
    maxWorkers: common.maxWorkers,
    experimental: common.experimental,
    projects: [
      project({ name: 'commands', include: [...commands], isolate: true }),
      ...byOtherCompilers,
    ],
  },
})
