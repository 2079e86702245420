import type { Consumer } from '../consumer.ts'
import { classOfReadme, readmeTest } from './steps.ts'

/** What runs tests. */
export const TEST_RUNNERS: readonly Consumer[] = [
  {
    name: 'vitest-plugin',
    tool: 'Vitest, `rowkey/vite`',
    versionsOf: ['vitest', 'vite'],
    what: classOfReadme,
    project: 'vitest-plugin',
    programs: readmeTest,
    set: 'fast',
    steps: [{ run: ['vitest', 'run'] }],
  },
  {
    name: 'vitest-legacy',
    tool: 'Vitest, `experimentalDecorators`',
    versionsOf: ['vitest', 'vite'],
    what: classOfReadme,
    project: 'vitest-legacy',
    programs: readmeTest,
    set: 'fast',
    steps: [{ run: ['vitest', 'run'] }],
  },
  ...['ts-jest', 'babel-jest'].map(
    (tool): Consumer => ({
      name: tool,
      tool: `Jest, ${tool}`,
      versionsOf: ['jest', tool],
      what: `${classOfReadme}; CommonJS, environments node and jsdom`,
      project: tool === 'ts-jest' ? 'jest-ts-jest' : 'jest-babel',
      programs: readmeTest,
      set: 'fast',
      steps: [{ run: ['jest'] }, { run: ['jest', '--env=jsdom'] }],
    }),
  ),
]
