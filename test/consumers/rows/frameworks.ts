import type { Consumer } from '../consumer.ts'
import { README_RUNS } from './steps.ts'

/** What the route, the page with a component of the browser, and the route of JSON show. */
const NEXT_RUNS = new RegExp(
  `${README_RUNS.source}[^]*Ann has 120 points since 2026-11-23T06:17:14Z[^]*"points":"120"`,
)

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
]
