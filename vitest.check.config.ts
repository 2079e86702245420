/**
 * What `npm run check` tests besides `npm test`: what takes long, and shows the same whatever compiles decorators, all cases of
 * exhaustive tests, and decorators by further compilers.
 */
import { defineConfig } from 'vitest/config'
import { testsWith } from './test/support/tests-with.ts'
import { byOtherCompilers, commands, common, compiledBy, plain, project } from './vitest.config.ts'

const folders = [...plain, 'mapper', 'rowkey'].map((name) => `test/${name}`)

/** Exhaustive tests; `npm test` plays some of their cases. `npm test` itself plays their random steps. */
const allCases = compiledBy('standard', {
  name: 'all cases',
  include: testsWith(/casesToPlay|CASE_STEP/, ...folders),
  env: { ALL_CASES: '1', RANDOM_STEPS: '0.1' },
})

export default defineConfig({
  test: {
    maxWorkers: common.maxWorkers,
    experimental: common.experimental,
    projects: [
      project({ name: 'commands', include: [...commands] }),
      allCases,
      ...byOtherCompilers,
    ],
  },
})
