import type { Consumer } from '../consumer.ts'
import { classOfReadme, compile, esbuild, MJS, node, readmeBundle } from './steps.ts'

/** What makes one file, or a few, of a program. */
export const BUNDLERS: readonly Consumer[] = [
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
    set: 'full',
    steps: [compile, { run: ['webpack', '-c', 'webpack.config.cjs'] }],
  },
  {
    name: 'rollup-browser',
    tool: 'Rollup, browser',
    versionsOf: ['rollup'],
    what: `${classOfReadme}; nothing of Node, compiled by tsc`,
    project: 'rollup',
    programs: readmeBundle,
    set: 'full',
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
    set: 'full',
    steps: [compile, { run: ['rollup', '-c'] }, node('out/bundle.mjs')],
  },
  {
    name: 'webpack',
    tool: 'webpack, Node',
    versionsOf: ['webpack'],
    what: `${classOfReadme}; everything bundled, compiled by tsc`,
    project: 'webpack',
    programs: readmeBundle,
    set: 'full',
    steps: [compile, { run: ['webpack', '-c', 'webpack.config.cjs'] }, node('out/main.cjs')],
  },
]
