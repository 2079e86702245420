import type { Consumer, Step } from '../consumer.ts'
import { compile, esbuild } from './steps.ts'

const PROGRAM_RUNS = /the program of the package runs/
const run = (file: string): Step => ({ run: ['node', file], prints: PROGRAM_RUNS })

/** A package beside `rowkey`, with the program of its README. */
interface SidePackage {
  readonly name: string
  /** What a bundle for browsers does; packages that need Node have none. */
  readonly browser?: 'runs' | 'builds'
}

const SIDE_PACKAGES: readonly SidePackage[] = [
  { name: 'patterns', browser: 'runs' },
  { name: 'data-tables', browser: 'builds' },
  { name: 'azure-entities' },
]

/** Compiled by esbuild and run, with the packages outside of the file. */
const outside = (name: string, format: 'esm' | 'cjs'): readonly Step[] => {
  const file = `out/${name}.${format === 'esm' ? 'mjs' : 'cjs'}`
  const options = ['--platform=node', '--packages=external', `--format=${format}`]
  return [esbuild(`${name}.ts`, ...options, `--outfile=${file}`), run(file)]
}

const oneFile = (name: string): readonly Step[] => [
  esbuild(`${name}.ts`, '--platform=node', '--format=cjs', '--minify', '--outfile=out/one.cjs'),
  run('out/one.cjs'),
]

const forBrowsers = ({ name, browser }: SidePackage): readonly Step[] => {
  if (browser === undefined) return []
  const build = esbuild(`${name}.ts`, '--platform=browser', '--format=esm', '--outfile=out/web.mjs')
  return browser === 'runs' ? [build, run('out/web.mjs')] : [build]
}

const sideRows: readonly Consumer[] = SIDE_PACKAGES.map((side) => ({
  name: side.name,
  tool: `\`@rowkey/${side.name}\``,
  versionsOf: ['typescript', 'esbuild'],
  what: `the program of its README: checked by tsc, by \`import\`, by \`require\`, in one file${
    side.browser === undefined ? '' : `; a bundle for browsers ${side.browser}`
  }`,
  project: 'package',
  programs: [`${side.name}.ts`],
  set: 'fast',
  steps: [
    compile,
    ...outside(side.name, 'esm'),
    ...outside(side.name, 'cjs'),
    ...oneFile(side.name),
    ...forBrowsers(side),
  ],
}))

/** The packages beside `rowkey`: types, `import`, `require` and bundles; and the sample programs of all packages. */
export const PACKAGE_ROWS: readonly Consumer[] = [
  ...sideRows,
  {
    name: 'cli',
    tool: '`@rowkey/cli`',
    version: ['rowkey', '--version'],
    what: 'the commands `import`, `tables`, `get`, `count`, `export` and `pull` against `rowkey serve`, by `rowkey` and by `rowkey-cli`',
    project: 'empty',
    programs: ['cli.mjs', 'with-service.mjs'],
    set: 'fast',
    steps: [{ run: ['node', 'with-service.mjs', 'node', 'cli.mjs'], prints: PROGRAM_RUNS }],
  },
  {
    name: 'examples',
    tool: 'the sample programs',
    versionsOf: ['typescript', 'esbuild'],
    what: 'the numbered programs of `examples`: checked by tsc, compiled by esbuild; each prints what its `expected.txt` has',
    project: 'examples',
    programs: ['run-examples.mjs'],
    set: 'fast',
    steps: [{ run: ['node', 'run-examples.mjs'], prints: /examples print what they should/ }],
  },
]
