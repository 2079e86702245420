/**
 * What `npm run check` tests besides `npm test`: what takes long, and shows the same whatever compiles decorators, and
 * decorators by three further compilers.
 */
import { defineConfig } from 'vitest/config'
import { byOtherCompilers, commands, common, project } from './vitest.config.ts'

export default defineConfig({
  test: {
    maxWorkers: common.maxWorkers,
    projects: [project({ name: 'commands', include: [...commands] }), ...byOtherCompilers],
  },
})
