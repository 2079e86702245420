import type { Consumer, Step } from '../consumer.ts'
import { BROWSERS, type Browser } from './browsers.ts'
import { esbuild, runs } from './steps.ts'

const CONFORMS = /conformance: insert errors changes query page batch abort dynamic close/
const conforms = (...run: readonly string[]): Step => ({
  run: ['node', 'with-service.mjs', ...run],
  prints: CONFORMS,
})

const LIST = 'the conformance list against `rowkey serve`'
const list = ['conformance.ts', 'serve-main.ts', 'with-service.mjs']
const readme = ['readme.ts', 'main.ts']

const compiled = (program: string, output: string): Step =>
  esbuild(
    program,
    '--platform=node',
    '--format=esm',
    '--packages=external',
    `--outfile=out/${output}`,
  )

const nodeOf = (major: number): readonly string[] => ['npx', '-y', `node@${major}`]

/** On a version of Node: the README in process, and the list over HTTP. */
const onNode = (major: number): Consumer => ({
  name: `node-${major}`,
  tool: `Node ${major}`,
  version: [...nodeOf(major), '--version'],
  what: `the README, embedded service; ${LIST}; compiled by esbuild`,
  project: 'module',
  programs: [...readme, ...list],
  set: 'full',
  steps: [
    compiled('main.ts', 'main.mjs'),
    runs(...nodeOf(major), 'out/main.mjs'),
    compiled('serve-main.ts', 'serve.mjs'),
    conforms(...nodeOf(major), 'out/serve.mjs'),
  ],
})

/** TypeScript without a compiler. */
const stripped = (major: number): Consumer => ({
  name: `type-stripping-${major}`,
  tool: `Node ${major}, type stripping`,
  version: [...nodeOf(major), '--version'],
  what: `a class by \`decorate\`, embedded service; ${LIST}`,
  project: 'runtime',
  programs: ['stripped.ts', ...list],
  set: 'full',
  steps: [
    { run: [...nodeOf(major), 'stripped.ts'], prints: /the decorated class runs/ },
    conforms(...nodeOf(major), 'serve-main.ts'),
  ],
})

const deno = (file: string): readonly string[] => [
  'deno',
  'run',
  '-A',
  '--no-check',
  '--node-modules-dir=manual',
  '--unstable-sloppy-imports',
  file,
]

const workerd: Consumer = {
  name: 'workerd',
  tool: 'workerd',
  versionsOf: ['workerd'],
  what: `${LIST}, in a worker with the account key (\`runsOnServer: true\`); a SAS made with \`nodejs_compat\`, and the error without it; bundled by esbuild`,
  project: 'module',
  programs: [...list, 'worker.ts', 'workerd.mjs'],
  set: 'full',
  steps: [
    esbuild(
      'worker.ts',
      '--platform=neutral',
      '--main-fields=module,main',
      '--conditions=workerd,worker,module',
      '--format=esm',
      '--outfile=out/worker.mjs',
    ),
    conforms('node', 'workerd.mjs'),
  ],
}

const inBrowser = ({ environment, ...browser }: Browser): Consumer => ({
  ...browser,
  what: `${LIST}, in a page of another origin with a SAS; a call that CORS refuses; an account key that is rejected`,
  project: 'module',
  programs: [...list, 'page.ts', 'browser.mjs'],
  set: 'full',
  steps: [
    esbuild('page.ts', '--platform=browser', '--format=esm', '--outfile=out/page.mjs'),
    { ...conforms('node', 'browser.mjs'), environment },
  ],
})

/** What runs JavaScript. Every one runs the same list against `rowkey serve`. */
export const RUNTIMES: readonly Consumer[] = [
  ...[20, 22, 24, 26].map(onNode),
  ...[22, 24, 26].map(stripped),
  {
    name: 'bun',
    tool: 'Bun',
    versionsOf: ['bun'],
    what: `the README, embedded service; ${LIST}, which runs on Node and on Bun; a service that closes`,
    project: 'runtime',
    programs: [...readme, ...list, 'close-service.ts'],
    set: 'full',
    steps: [
      runs('bun', 'main.ts'),
      conforms('bun', 'serve-main.ts'),
      { run: ['bun', 'with-service.mjs', 'bun', 'serve-main.ts'], prints: CONFORMS },
      { run: ['bun', 'close-service.ts'], prints: /the service closes/ },
    ],
  },
  {
    name: 'deno',
    tool: 'Deno',
    versionsOf: ['deno'],
    what: `the README, embedded service; ${LIST}`,
    project: 'runtime',
    programs: [...readme, ...list],
    set: 'full',
    steps: [runs(...deno('main.ts')), conforms(...deno('serve-main.ts'))],
  },
  workerd,
  ...BROWSERS.map(inBrowser),
]
