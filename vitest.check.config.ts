/** What `npm run check` tests besides `npm test`: random tests with all steps, and what takes long or needs no second look. */
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { testsWith } from './test/support/tests-with.ts'
import {
  alias,
  commands,
  common,
  compiledBy,
  decorated,
  mapped,
  ofDecorators,
  otherCompilers,
  plain,
  withoutDecorators,
} from './vitest.config.ts'

const RANDOM = /\brandomSteps\(/
const random = testsWith(RANDOM, ...plain.map((folder) => `test/${folder}`))
const mappedRandom = testsWith(RANDOM, 'test/mapper', 'test/rowkey')
/** `npm test` has already run these by more than one compiler, with all of their steps. */
const done = decorated.filter((file) => !mappedRandom.includes(file))

export default defineConfig({
  resolve: { alias },
  test: {
    ...common,
    env: { RANDOM_STEPS: process.env.RANDOM_STEPS ?? '1' },
    projects: [
      { extends: true, test: { name: 'all random steps', include: random, isolate: false } },
      compiledBy('standard', { include: mappedRandom }),
      compiledBy('legacy', {
        include: [...mapped],
        exclude: [...done, withoutDecorators, ...commands],
      }),
      ...otherCompilers.map((compiler) =>
        compiledBy(compiler, { include: [...ofDecorators], exclude: [...decorated] }),
      ),
      { extends: true, test: { name: 'commands', include: [...commands] } },
    ],
  },
})
