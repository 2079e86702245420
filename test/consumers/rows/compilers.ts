import type { Consumer } from '../consumer.ts'
import { classOfReadme, compile, node, readme, runs } from './steps.ts'

/** What turns decorators into JavaScript. */
export const COMPILERS: readonly Consumer[] = [
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
]
