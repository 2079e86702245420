import type { Consumer, Step } from './consumer.ts'

const README_RUNS = /the README runs: insert get merge batch query errors/
const readme = ['readme.ts', 'main.ts']
/** The same, bundled with the embedded service. */
const readmeBundle = [...readme, 'bundle.ts']
const readmeTest = ['readme.ts', 'readme.test.ts']
const classOfReadme = 'the class and the calls of the README, embedded service'

const runs = (...run: readonly string[]): Step => ({ run, prints: README_RUNS })
const node = (file: string): Step => runs('node', file)
const compile: Step = { run: ['tsc', '-p', '.'] }

const esbuild = (program: string, ...options: readonly string[]): Step => ({
  run: ['esbuild', program, '--bundle', '--target=es2022', '--log-level=warning', ...options],
})

const MJS = ['--out-extension:.js=.mjs']

/** The whole matrix, in the order of the table. */
export const CONSUMERS: readonly Consumer[] = [
  {
    name: 'tsc-standard',
    tool: 'tsc, standard decorators',
    versionsOf: ['typescript'],
    what: `${classOfReadme}; strict flags, declarations checked`,
    project: 'tsc-standard',
    programs: readme,
    set: 'fast',
    steps: [compile, node('out/main.js')],
  },
  {
    name: 'tsc-legacy',
    tool: 'tsc, `experimentalDecorators`',
    versionsOf: ['typescript'],
    what: `${classOfReadme}; strict flags, \`emitDecoratorMetadata\``,
    project: 'tsc-legacy',
    programs: readme,
    set: 'fast',
    steps: [compile, node('out/main.js')],
  },
  {
    name: 'tsx',
    tool: 'tsx',
    versionsOf: ['tsx'],
    what: classOfReadme,
    project: 'module',
    programs: readme,
    set: 'fast',
    steps: [runs('tsx', 'main.ts')],
  },
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
  {
    name: 'vite-build',
    tool: 'Vite, server build',
    versionsOf: ['vite'],
    what: `${classOfReadme}; \`rowkey/vite\`, everything bundled`,
    project: 'vite-build',
    programs: readmeBundle,
    set: 'fast',
    steps: [{ run: ['vite', 'build'] }, node('out/bundle.js')],
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
  {
    name: 'swc',
    tool: 'SWC',
    versionsOf: ['@swc/core'],
    what: `${classOfReadme}; \`decoratorVersion: '2022-03'\``,
    project: 'swc',
    programs: readme,
    set: 'fast',
    steps: [{ run: ['node', 'build.mjs'] }, node('main.js')],
  },
  {
    name: 'babel',
    tool: 'Babel',
    versionsOf: ['@babel/core'],
    what: `${classOfReadme}; CommonJS`,
    project: 'jest-babel',
    programs: readme,
    set: 'fast',
    steps: [
      { run: ['babel', '.', '--extensions', '.ts', '--out-dir', 'out'] },
      node('out/main.js'),
    ],
  },
  ...(['esm', 'cjs'] as const).map(
    (format): Consumer => ({
      name: `esbuild-${format}`,
      tool: `esbuild, Node, one ${format === 'esm' ? 'module' : 'CommonJS file'}`,
      versionsOf: ['esbuild'],
      what: `${classOfReadme}; everything bundled and minified`,
      project: 'module',
      programs: readmeBundle,
      set: 'fast',
      steps: [
        esbuild(
          'bundle.ts',
          '--platform=node',
          `--format=${format}`,
          '--minify',
          `--outfile=out/main.${format === 'esm' ? 'mjs' : 'cjs'}`,
          // What esbuild's own documentation says for CommonJS packages in a module.
          ...(format === 'esm'
            ? [
                "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
              ]
            : []),
        ),
        node(`out/main.${format === 'esm' ? 'mjs' : 'cjs'}`),
      ],
    }),
  ),
  {
    name: 'esbuild-browser',
    tool: 'esbuild, browser',
    versionsOf: ['esbuild'],
    what: `${classOfReadme}; code splitting, nothing of Node`,
    project: 'module',
    programs: readmeBundle,
    set: 'fast',
    steps: [
      esbuild(
        'bundle.ts',
        '--platform=browser',
        '--format=esm',
        '--splitting',
        '--outdir=out',
        ...MJS,
      ),
      node('out/bundle.mjs'),
    ],
  },
  {
    name: 'vite-browser',
    tool: 'Vite, browser build',
    versionsOf: ['vite'],
    what: `${classOfReadme}; \`rowkey/vite\`, nothing of Node`,
    project: 'vite-browser',
    programs: readmeBundle,
    set: 'fast',
    steps: [{ run: ['vite', 'build'] }, node('out/main.js')],
  },
  {
    name: 'webpack-browser',
    tool: 'webpack, browser',
    versionsOf: ['webpack'],
    what: 'the same program builds without polyfills; compiled by tsc',
    project: 'webpack-browser',
    programs: readmeBundle,
    set: 'fast',
    steps: [compile, { run: ['webpack', '-c', 'webpack.config.cjs'] }],
  },
  {
    name: 'rollup-browser',
    tool: 'Rollup, browser',
    versionsOf: ['rollup'],
    what: `${classOfReadme}; nothing of Node, compiled by tsc`,
    project: 'rollup',
    programs: readmeBundle,
    set: 'fast',
    steps: [
      compile,
      { run: ['rollup', '-c', '--environment', 'PLATFORM:browser'] },
      node('out/bundle.mjs'),
    ],
  },
  {
    name: 'rollup',
    tool: 'Rollup, Node',
    versionsOf: ['rollup'],
    what: `${classOfReadme}; everything bundled, compiled by tsc`,
    project: 'rollup',
    programs: readmeBundle,
    set: 'fast',
    steps: [compile, { run: ['rollup', '-c'] }, node('out/bundle.mjs')],
  },
  {
    name: 'webpack',
    tool: 'webpack, Node',
    versionsOf: ['webpack'],
    what: `${classOfReadme}; everything bundled, compiled by tsc`,
    project: 'webpack',
    programs: readmeBundle,
    set: 'fast',
    steps: [compile, { run: ['webpack', '-c', 'webpack.config.cjs'] }, node('out/main.cjs')],
  },
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
  ...['5.0', '5.4', '5.9', '7'].map(
    (version): Consumer => ({
      name: `typescript-${version}`,
      tool: `tsc ${version}`,
      versionsOf: [`typescript-${version}`],
      what: `${classOfReadme}; strict, \`skipLibCheck\``,
      project: 'typescript',
      programs: readme,
      set: 'full',
      steps: [
        { run: ['node', `../../node_modules/typescript-${version}/bin/tsc`, '-p', '.'] },
        node('out/main.js'),
      ],
    }),
  ),
]
