import type { Consumer, Step } from '../consumer.ts'
import { esbuild } from './steps.ts'

interface Stack {
  /** The folder below `examples/stacks`. */
  readonly name: string
  readonly tool: string
  readonly versionsOf: readonly string[]
  readonly what: string
  /** The file with its tests. */
  readonly test: string
  /** Makes the file that is deployed, when that is a bundle. */
  readonly bundle?: Step
  /** Whether the test needs `rowkey serve`, with its connection string in TABLES. */
  readonly isServed?: boolean
}

const consumerOf = ({ name, tool, versionsOf, what, test, bundle, isServed }: Stack): Consumer => ({
  name,
  tool,
  versionsOf,
  what,
  project: 'stacks',
  programs: isServed ? ['with-service.mjs'] : [],
  set: 'stacks',
  steps: [
    { run: ['tsc', '-p', name] },
    ...(bundle === undefined ? [] : [bundle]),
    {
      run: [
        ...(isServed ? ['node', 'with-service.mjs'] : []),
        ...['node', '--test', '--test-reporter=tap', `out/${name}/${test}.test.js`],
      ],
      prints: /^# fail 0$/m,
    },
  ],
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

/** The programs of `examples/stacks`, each with its own tests. */
export const STACKS: readonly Consumer[] = [
  {
    name: 'fastify',
    tool: 'Fastify',
    versionsOf: ['fastify'],
    what: 'a REST API over HTTP: pages, ETags, conditional reads and writes, errors; the program ends with SIGTERM',
    test: 'server',
  },
  {
    name: 'nest',
    tool: 'NestJS',
    versionsOf: ['@nestjs/core'],
    what: 'a module for tables, a controller and a filter for errors, over HTTP; legacy decorators',
    test: 'app',
  },
  {
    name: 'hono',
    tool: 'Hono, workerd',
    versionsOf: ['hono', 'workerd'],
    what: 'an application in a worker over `rowkey/fetch`, against the embedded service over HTTP',
    test: 'app',
    bundle: worker,
  },
  {
    name: 'azure-functions',
    tool: 'Azure Functions, shape',
    versionsOf: ['@azure/functions'],
    what: 'two functions in one CommonJS file, against `rowkey serve`, called with the types of the host; not the host itself',
    test: 'customer-functions',
    bundle: azureFunction,
    isServed: true,
  },
  {
    name: 'aws-lambda',
    tool: 'AWS Lambda, shape',
    versionsOf: ['@types/aws-lambda'],
    what: 'a handler in one CommonJS file over `rowkey/fetch`, against `rowkey serve`, called by a Node program; not the host itself',
    test: 'handler',
    bundle: lambda,
    isServed: true,
  },
].map(consumerOf)
