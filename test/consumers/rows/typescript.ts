import type { Consumer, Step } from '../consumer.ts'
import { classOfReadme, node, readme } from './steps.ts'

const VERSIONS = ['5.0', '5.4', '5.9', '7'] as const

/** By its path: several versions are installed, and each wants to be `tsc`. */
const tsc = (version: string, config: string): Step => ({
  run: ['node', `../../node_modules/typescript-${version}/bin/tsc`, '-p', config],
})

/** The README, compiled by a version of TypeScript in both decorator modes and run. */
const readmeBy = (version: string): Consumer => ({
  name: `typescript-${version}`,
  tool: `tsc ${version}`,
  versionsOf: [`typescript-${version}`],
  what: `${classOfReadme}; strict, \`skipLibCheck: false\`; both kinds of decorators; for a browser without \`@types/node\``,
  project: 'typescript',
  programs: readme,
  set: 'full',
  steps: [
    tsc(version, 'tsconfig.json'),
    node('out/main.js'),
    tsc(version, 'tsconfig.legacy.json'),
    node('legacy/main.js'),
    tsc(version, 'tsconfig.browser.json'),
  ],
})

const FLAGS =
  '`strict`, `skipLibCheck: false`, `exactOptionalPropertyTypes`, `noUncheckedIndexedAccess`, `isolatedModules`, `verbatimModuleSyntax`, `erasableSyntaxOnly`, `isolatedDeclarations`'

/** Every entry of every package with the flags that people use. */
const entriesBy = (version: string): Consumer => ({
  name: `strict-flags-${version}`,
  tool: `tsc ${version}, strict flags`,
  versionsOf: [`typescript-${version}`],
  what: `every entry of every package, and \`defineEntity\` as setup.md writes it: ${FLAGS}`,
  project: 'strict-flags',
  programs: ['every-entry.ts', 'isolated.ts'],
  set: 'full',
  steps: [tsc(version, 'tsconfig.json'), { run: ['node', 'out/isolated.js'] }],
})

/** A workspace whose packages see only what they depend on, and give each other declarations. */
const workspaceBy = (version: string): Consumer => ({
  name: `pnpm-workspace-${version}`,
  tool: `pnpm, tsc ${version}, composite projects`,
  versionsOf: [`typescript-${version}`],
  what: 'exported models, tables, queries and batches; their declarations import nothing but the dependencies of their package',
  project: 'pnpm-workspace',
  programs: ['check-declarations.mjs'],
  set: 'full',
  isAlone: true,
  steps: [
    { run: ['pnpm', 'install'] },
    { run: ['node', `../../full/node_modules/typescript-${version}/bin/tsc`, '-b'] },
    { run: ['node', 'check-declarations.mjs'], prints: /^declarations name \d+ types/m },
  ],
})

/** Versions and flags of TypeScript. */
export const TYPESCRIPT: readonly Consumer[] = [
  ...VERSIONS.map(readmeBy),
  ...['5.9', '7'].map(entriesBy),
  ...['5.9', '7'].map(workspaceBy),
]
