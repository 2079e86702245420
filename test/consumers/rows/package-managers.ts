import type { Consumer, Step, ToolSet } from '../consumer.ts'
import { esbuild, readme, runs } from './steps.ts'

const WARNING = /\bwarn(ing)?s?\b/i

/** Missing and mismatched peers. Yarn 4 also warns about the modules of every project: YN0092. */
const YARN_WARNING = /YN0002|YN0060|YN0068|YN0086/

/** Compiled without the tool under test, which only installs. */
const compileReadme = esbuild(
  'main.ts',
  '--platform=node',
  '--format=esm',
  '--packages=external',
  '--outfile=main.mjs',
)

interface Manager {
  readonly name: string
  readonly tool: string
  readonly set: ToolSet
  /** What a user types. */
  readonly install: readonly string[]
  readonly version: readonly string[]
  readonly start?: readonly string[]
  /** What its warnings look like. */
  readonly warning?: RegExp
  /** Whether it makes no `node_modules`. */
  readonly isWithoutFolder?: boolean
}

const MANAGERS: readonly Manager[] = [
  { name: 'npm', tool: 'npm', set: 'fast', install: ['npm', 'install'], version: ['npm'] },
  { name: 'pnpm', tool: 'pnpm', set: 'full', install: ['pnpm', 'add'], version: ['pnpm'] },
  {
    name: 'yarn-classic',
    tool: 'Yarn 1',
    set: 'full',
    install: ['node', '../../full/node_modules/yarn/bin/yarn.js', 'add', '--non-interactive'],
    version: ['node', '../../full/node_modules/yarn/bin/yarn.js'],
  },
  {
    name: 'yarn-berry',
    tool: "Yarn 4, Plug'n'Play",
    set: 'full',
    install: ['node', '../../full/node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'add'],
    version: ['node', '../../full/node_modules/@yarnpkg/cli-dist/bin/yarn.js'],
    start: ['node', '../../full/node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'node'],
    warning: YARN_WARNING,
    isWithoutFolder: true,
  },
  {
    name: 'bun-install',
    tool: 'Bun, install',
    set: 'full',
    install: ['bun', 'add'],
    version: ['bun'],
  },
]

const noScripts: Step = {
  run: ['node', 'check-install.mjs'],
  prints: /no script and no native module/,
}

/** What installs packages: an empty folder, and the command that a user types. */
export const PACKAGE_MANAGERS: readonly Consumer[] = MANAGERS.map((manager) => ({
  name: manager.name,
  tool: manager.tool,
  version: [...manager.version, '--version'],
  what: `\`rowkey\` in an empty folder, without a warning${
    manager.isWithoutFolder ? '' : ', an install script or a native module'
  }; the README's program`,
  project: 'empty',
  programs: [...readme, 'check-install.mjs'],
  set: manager.set,
  isAlone: true,
  steps: [
    { run: [...manager.install, 'rowkey'], mustNotPrint: manager.warning ?? WARNING },
    ...(manager.isWithoutFolder ? [] : [noScripts]),
    compileReadme,
    runs(...(manager.start ?? ['node']), 'main.mjs'),
  ],
}))
