/** Makes what the playground loads: its worker with all packages, and their declarations for its editor. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { webTwins } from '../../scripts/web-twins.ts'
import { addressOf, pages } from '../.vitepress/pages.ts'
import { blockPrograms } from './page-programs.ts'

const root = join(import.meta.dirname, '../..')

/** Served beside the pages. */
const output = join(import.meta.dirname, '../dist/playground')

const MONACO = 'monaco-editor/esm/vs/'

/** The packages of `modules.ts`. */
const PACKAGES = [
  ...['data-tables', 'local', 'mapper', 'odata', 'patterns', 'query', 'rest'],
  'rowkey',
]

/** Builds the worker and the declarations. */
export async function buildPlayground(): Promise<void> {
  mkdirSync(output, { recursive: true })
  const common: BuildOptions = {
    absWorkingDir: join(import.meta.dirname, '..'),
    outdir: output,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  }
  await Promise.all([
    build({
      ...common,
      entryPoints: { worker: join(import.meta.dirname, 'worker.ts') },
      tsconfig: join(import.meta.dirname, '../tsconfig.json'),
      plugins: [webTwins],
      define: { ROWKEY_VERSION: '"playground"' },
      format: 'iife',
      // Programs print the names of classes.
      keepNames: true,
    }),
    build({
      ...common,
      entryPoints: {
        'text.worker': `${MONACO}editor/editor.worker.js`,
        'types.worker': `${MONACO}language/typescript/ts.worker.js`,
      },
      format: 'iife',
    }),
    build({
      ...common,
      entryPoints: { app: join(import.meta.dirname, 'app.ts') },
      format: 'esm',
      loader: { '.ttf': 'dataurl' },
    }),
  ])
  for (const page of pages) writePrograms(page)
  writeFileSync(join(output, 'types.json'), JSON.stringify(declarations()))
}

/** Writes what the blocks of a page open. */
function writePrograms(page: string): void {
  const programs = blockPrograms(readFileSync(join(root, page), 'utf8'))
  const file = join(output, 'pages', addressOf(page).replace(/\.md$/, '.json'))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(programs))
}

/** Returns the texts of all declarations, by their paths below `node_modules`. `npm run build:types` has written them. */
function declarations(): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const folder of PACKAGES) {
    const name = folder === 'rowkey' ? folder : `@rowkey/${folder}`
    const built = join(root, 'packages', folder, '.tsc')
    for (const path of declarationsIn(built)) {
      const text = readFileSync(join(built, path), 'utf8')
      // A declaration imports others by the names of the modules that they describe.
      texts[`${name}/${path}`] = text.replace(
        /((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g,
        '$1.js$2',
      )
    }
  }
  for (const path of declarationsIn(join(root, 'packages/rowkey/.tsc/entries'))) {
    texts[`rowkey/${path}`] = `export * from './entries/${path.replace(/\.d\.ts$/, '.js')}'`
  }
  const zod = join(root, 'node_modules/zod')
  for (const path of ['index.d.ts', ...declarationsIn(join(zod, 'v4')).map((at) => `v4/${at}`)]) {
    texts[`zod/${path}`] = readFileSync(join(zod, path), 'utf8')
  }
  return texts
}

function declarationsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  )
}
