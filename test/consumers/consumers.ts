import type { Consumer } from './consumer.ts'
import { BUNDLERS } from './rows/bundlers.ts'
import { COMPILERS } from './rows/compilers.ts'
import { FRAMEWORKS } from './rows/frameworks.ts'
import { PACKAGE_MANAGERS } from './rows/package-managers.ts'
import { PACKAGE_ROWS } from './rows/packages.ts'
import { RUNTIMES } from './rows/runtimes.ts'
import { STACKS } from './rows/stacks.ts'
import { TEST_RUNNERS } from './rows/test-runners.ts'
import { TYPESCRIPT } from './rows/typescript.ts'

/** The whole matrix, in the order of the table. */
export const CONSUMERS: readonly Consumer[] = [
  ...PACKAGE_MANAGERS,
  ...COMPILERS,
  ...TEST_RUNNERS,
  ...BUNDLERS,
  ...PACKAGE_ROWS,
  ...RUNTIMES,
  ...FRAMEWORKS,
  ...STACKS,
  ...TYPESCRIPT,
]

/** What `.ci/run` runs: an install by npm that is imported, a package that is required, and a bundler. The hosted workflow runs all. */
export const OF_EACH_LANDING: readonly string[] = ['npm', 'patterns', 'vite-build']
