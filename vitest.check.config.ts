/** What `npm run check` tests besides `npm test`: random tests with all steps, and what takes long or needs no second look. */
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { testsWith } from './test/support/tests-with.ts'
import { alias, commands, common, compiledBy, decorated, plain } from './vitest.config.ts'

const RANDOM = /\brandomSteps\(/
const random = testsWith(RANDOM, ...plain.map((folder) => `test/${folder}`))
const mappedRandom = testsWith(RANDOM, 'test/mapper', 'test/rowkey')

export default defineConfig({
  resolve: { alias },
  test: {
    ...common,
    env: { RANDOM_STEPS: process.env.RANDOM_STEPS ?? '1' },
    projects: [
      { extends: true, test: { name: 'all random steps', include: random, isolate: false } },
      compiledBy('standard', { include: mappedRandom }),
      // `npm test` has run the others with decorators; those without are the same whatever compiles them.
      compiledBy('legacy', { include: mappedRandom.filter((file) => decorated.includes(file)) }),
      { extends: true, test: { name: 'commands', include: [...commands] } },
    ],
  },
})
