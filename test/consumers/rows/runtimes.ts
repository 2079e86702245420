import type { Consumer } from '../consumer.ts'
import { classOfReadme, esbuild, readme, runs } from './steps.ts'

/** What runs JavaScript. */
export const RUNTIMES: readonly Consumer[] = [
  ...[22, 24, 26].flatMap((major): Consumer[] => [
    {
      name: `node-${major}`,
      tool: `Node ${major}`,
      version: ['npx', '-y', `node@${major}`, '--version'],
      what: `${classOfReadme}; compiled by esbuild`,
      project: 'module',
      programs: readme,
      set: 'full',
      steps: [
        esbuild(
          'main.ts',
          '--platform=node',
          '--format=esm',
          '--packages=external',
          '--outfile=out/main.mjs',
        ),
        runs('npx', '-y', `node@${major}`, 'out/main.mjs'),
      ],
    },
    {
      name: `type-stripping-${major}`,
      tool: `Node ${major}, type stripping`,
      version: ['npx', '-y', `node@${major}`, '--version'],
      what: 'a class by `decorate`, embedded service',
      project: 'runtime',
      programs: ['stripped.ts'],
      set: 'full',
      steps: [
        { run: ['npx', '-y', `node@${major}`, 'stripped.ts'], prints: /the decorated class runs/ },
      ],
    },
  ]),
  {
    name: 'bun',
    tool: 'Bun',
    versionsOf: ['bun'],
    what: classOfReadme,
    project: 'runtime',
    programs: readme,
    set: 'full',
    steps: [runs('bun', 'main.ts')],
  },
  {
    name: 'deno',
    tool: 'Deno',
    versionsOf: ['deno'],
    what: classOfReadme,
    project: 'runtime',
    programs: readme,
    set: 'full',
    steps: [
      runs(
        'deno',
        'run',
        '-A',
        '--no-check',
        '--node-modules-dir=manual',
        '--unstable-sloppy-imports',
        'main.ts',
      ),
    ],
  },
]
