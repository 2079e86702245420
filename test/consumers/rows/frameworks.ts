import type { Consumer } from '../consumer.ts'
import { compile, esbuild, README_RUNS } from './steps.ts'

/** What the route, the page with a component of the browser, and the route of JSON show. */
const NEXT_RUNS = new RegExp(
  `${README_RUNS.source}[^]*Ann has 120 points since 2026-11-23T06:17:14Z[^]*"points":"120"`,
)

const POINTS = /points: 5\npoints: 5/

/** What brings a compiler or a host of its own. */
export const FRAMEWORKS: readonly Consumer[] = [
  {
    name: 'next',
    tool: 'Next.js',
    versionsOf: ['next'],
    what: 'the README in a route of a built application, embedded service; the same program builds in a page; an entity in a component of the browser, and as JSON; `experimentalDecorators`',
    project: 'next',
    programs: ['readme.ts', 'next.mjs'],
    set: 'frameworks',
    steps: [
      {
        run: ['node', '../../node_modules/next/dist/bin/next', 'build'],
        environment: { NEXT_TELEMETRY_DISABLED: '1' },
      },
      { run: ['node', 'next.mjs'], prints: NEXT_RUNS },
    ],
  },
  {
    name: 'azure-functions',
    tool: 'Azure Functions, shape',
    versionsOf: ['@azure/functions'],
    what: 'a handler against `rowkey serve`, called twice with the types of the host; not the host itself',
    project: 'function',
    programs: ['azure-function.ts', 'customer.ts', 'with-service.mjs'],
    set: 'frameworks',
    steps: [
      compile,
      esbuild(
        'azure-function.ts',
        '--platform=node',
        '--format=cjs',
        '--packages=external',
        '--outfile=out/function.cjs',
      ),
      { run: ['node', 'with-service.mjs', 'node', 'out/function.cjs'], prints: POINTS },
    ],
  },
  {
    name: 'aws-lambda',
    tool: 'AWS Lambda, shape',
    versionsOf: ['@types/aws-lambda'],
    what: 'a handler in one CommonJS file over `rowkey/fetch`, against `rowkey serve`, called twice by a Node program; not the host itself',
    project: 'function',
    programs: ['lambda.ts', 'customer.ts', 'call-lambda.cjs', 'with-service.mjs'],
    set: 'frameworks',
    steps: [
      compile,
      esbuild(
        'lambda.ts',
        '--platform=node',
        '--format=cjs',
        '--minify',
        '--outfile=out/lambda.cjs',
      ),
      { run: ['node', 'with-service.mjs', 'node', 'call-lambda.cjs'], prints: POINTS },
    ],
  },
]
