import type { Consumer, Step, ToolSet } from '../consumer.ts'
import { BROWSERS } from './browsers.ts'
import { esbuild } from './steps.ts'

interface Stack extends Pick<Consumer, 'name' | 'tool' | 'version' | 'versionsOf' | 'missing'> {
  /** The folder below `examples/stacks`; the name by default. */
  readonly folder?: string
  readonly what: string
  /** The tools that are installed; those of the stacks by default. */
  readonly set?: ToolSet
  /** Makes the file that is deployed, when that is a bundle. */
  readonly bundle?: Step
  /** Runs the tests. */
  readonly tests: Step
  /** Whether the tests need `rowkey serve`, with its connection string in TABLES. */
  readonly isServed?: boolean
}

const consumerOf = ({
  folder,
  set = 'stacks',
  bundle,
  tests,
  isServed,
  ...stack
}: Stack): Consumer => ({
  ...stack,
  project: 'stacks',
  programs: isServed ? ['with-service.mjs'] : [],
  set,
  steps: [
    { run: ['tsc', '-p', folder ?? stack.name] },
    ...(bundle === undefined ? [] : [bundle]),
    isServed ? { ...tests, run: ['node', 'with-service.mjs', ...tests.run] } : tests,
  ],
})

/** Runs a compiled file of tests by the test runner of Node. */
const nodeTests = (file: string): Step => ({
  run: ['node', '--test', '--test-reporter=tap', `out/${file}.test.js`],
  prints: /^# fail 0$/m,
})

const worker = esbuild(
  'hono/app.ts',
  '--platform=neutral',
  '--main-fields=module,main',
  '--conditions=workerd,worker,module',
  '--format=esm',
  '--outfile=out/hono/worker.mjs',
)

const azureFunction = esbuild(
  'azure-functions/customer-functions.ts',
  '--platform=node',
  '--format=cjs',
  '--packages=external',
  '--outfile=out/azure-functions/customer-functions.cjs',
)

const lambda = esbuild(
  'aws-lambda/handler.ts',
  '--platform=node',
  '--format=cjs',
  '--minify',
  '--outfile=out/aws-lambda/handler.cjs',
)

const page = esbuild(
  'browser/page.ts',
  '--platform=browser',
  '--format=esm',
  '--outfile=out/browser/page.mjs',
)

/** The programs of `examples/stacks`, each with its own tests. */
const STACK_ROWS: readonly Stack[] = [
  {
    name: 'fastify',
    tool: 'Fastify',
    versionsOf: ['fastify'],
    what: 'a REST API over HTTP: pages, ETags, conditional reads and writes, errors; the program ends with SIGTERM',
    tests: nodeTests('fastify/server'),
  },
  {
    name: 'nest',
    tool: 'NestJS',
    versionsOf: ['@nestjs/core'],
    what: 'a module for tables, a controller and a filter for errors, over HTTP; legacy decorators',
    tests: nodeTests('nest/app'),
  },
  {
    name: 'hono',
    tool: 'Hono, workerd',
    versionsOf: ['hono', 'workerd'],
    what: 'an application in a worker over `rowkey/fetch`, against the embedded service over HTTP',
    tests: nodeTests('hono/app'),
    bundle: worker,
  },
  {
    name: 'azure-functions',
    tool: 'Azure Functions, shape',
    versionsOf: ['@azure/functions'],
    what: 'two functions in one CommonJS file, against `rowkey serve`, called with the types of the host; not the host itself',
    tests: nodeTests('azure-functions/customer-functions'),
    bundle: azureFunction,
    isServed: true,
  },
  {
    name: 'aws-lambda',
    tool: 'AWS Lambda, shape',
    versionsOf: ['@types/aws-lambda'],
    what: 'a handler in one CommonJS file over `rowkey/fetch`, against `rowkey serve`, called by a Node program; not the host itself',
    tests: nodeTests('aws-lambda/handler'),
    bundle: lambda,
    isServed: true,
  },
  {
    name: 'vitest-workers',
    folder: 'vitest',
    tool: 'Vitest, a service for each worker',
    versionsOf: ['vitest'],
    what: 'two files of tests at once, each with an embedded service in its process; a lost response',
    set: 'fast',
    tests: { run: ['vitest', 'run', '--root', 'vitest'] },
  },
  {
    name: 'jest-workers',
    folder: 'jest',
    tool: 'Jest, a service for each worker',
    versionsOf: ['jest', 'ts-jest'],
    what: 'two files of tests at once, each with an embedded service over HTTP',
    set: 'fast',
    tests: { run: ['jest', '-c', 'jest/jest.config.cjs'] },
  },
  ...BROWSERS.map(
    ({ environment, name, tool, ...browser }): Stack => ({
      ...browser,
      name: `page-${name}`,
      folder: 'browser',
      tool: `${tool}, a page`,
      what: 'a page that adds and shows notes of its user, with a SAS for them from its server; another origin than that of the account',
      set: 'full',
      bundle: page,
      tests: { ...nodeTests('browser/page'), environment },
      isServed: true,
    }),
  ),
  {
    name: 'import',
    tool: 'Node, an import',
    version: ['node', '--version'],
    what: '50,000 rows with progress; killed in the middle, it goes on where it was; over HTTP',
    tests: nodeTests('import/import'),
  },
]

export const STACKS: readonly Consumer[] = STACK_ROWS.map(consumerOf)
