import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type TransformOptions, transform } from 'esbuild'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { testsWith } from './test/support/tests-with.ts'

const require = createRequire(import.meta.url)

const source = (name: string, file = 'index') =>
  fileURLToPath(new URL(`./packages/${name}/src/${file}.ts`, import.meta.url))

/** Tests run on the sources, so that no build can be stale. */
export const alias = {
  '@rowkey/odata': source('odata'),
  '@rowkey/rest': source('rest'),
  '@rowkey/query': source('query'),
  '@rowkey/mapper': source('mapper'),
  // Before the package itself, whose name it begins with.
  '@rowkey/local/msw': source('local', 'msw/table-handlers'),
  '@rowkey/local': source('local'),
  'rowkey/embedded': source('rowkey', 'entries/embedded'),
  '@rowkey/patterns': source('patterns'),
  'rowkey/encryption': source('rowkey', 'entries/encryption'),
  'rowkey/errors': source('rowkey', 'entries/errors'),
  'rowkey/lifetime': source('rowkey', 'entries/lifetime'),
  'rowkey/fetch': source('rowkey', 'fetch/connect'),
  'rowkey/other-clients': source('rowkey', 'entries/other-clients'),
  'rowkey/testing': source('rowkey', 'entries/testing'),
  'rowkey/vite': source('rowkey', 'vite/plugin'),
  '@rowkey/data-tables': source('data-tables'),
  '@rowkey/cli': source('cli'),
  rowkey: source('rowkey'),
  '@rowkey/azure-entities': source('azure-entities'),
}

/** The classes of users: packages are compiled by one compiler, whatever compiles these. */
const tests = fileURLToPath(new URL('./test/', import.meta.url))

/** Compiles the tests by another compiler than the test runner's own. */
function compileBy(name: string, compile: (code: string, file: string) => Promise<Output>): Plugin {
  return {
    name,
    enforce: 'pre',
    async transform(code, id) {
      const file = id.split('?')[0] ?? id
      return file.startsWith(tests) && file.endsWith('.ts') ? compile(code, file) : undefined
    },
  }
}

type TsconfigRaw = Exclude<TransformOptions['tsconfigRaw'], string | undefined>

type Output = { readonly code: string; readonly map: string }

/** What esbuild and tsx do, and bundlers that stand on it. */
function esbuild(name: string, compilerOptions: TsconfigRaw['compilerOptions']): Plugin {
  return compileBy(name, async (code, sourcefile) => {
    const tsconfigRaw = { compilerOptions: { target: 'es2022', ...compilerOptions } }
    const { code: js, map } = await transform(code, {
      loader: 'ts',
      target: 'es2022',
      sourcefile,
      sourcemap: true,
      tsconfigRaw,
    })
    return { code: js, map }
  })
}

/** The test runner's own compiler leaves standard decorators as they are; no Node runs them yet. */
export const lowerStandardDecorators: Plugin = esbuild('lower-standard-decorators', {
  useDefineForClassFields: true,
})

const esbuildLegacy = esbuild('esbuild-legacy-decorators', {
  experimentalDecorators: true,
  useDefineForClassFields: false,
})

/** What tsc does with decorators when no option is set. */
const typescriptStandard = compileBy('typescript-standard-decorators', async (code, fileName) => {
  // By `require`, and only here: Node needs a second to look for the names that an `import` could want of it.
  const { ModuleKind, ScriptTarget, transpileModule }: typeof import('typescript') =
    require('typescript')
  const { outputText, sourceMapText = '' } = transpileModule(code, {
    fileName,
    compilerOptions: {
      target: ScriptTarget.ES2022,
      module: ModuleKind.ESNext,
      sourceMap: true,
      verbatimModuleSyntax: true,
    },
  })
  return { code: outputText.replace(/\n\/\/# sourceMappingURL=.*$/, ''), map: sourceMapText }
})

/** What decides how files are compiled, besides the files themselves and the installed packages. */
const settings = [
  ...['vitest.config.ts', 'tsconfig.base.json', 'test/tsconfig.json'],
  ...readdirSync(new URL('packages', import.meta.url)).map(
    (name) => `packages/${name}/tsconfig.json`,
  ),
]
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

/**
 * Names what compiled a stored module. The test runner looks modules up by their text, the installed packages and the
 * names of plugins, so without this a module that was compiled by other settings would be found too.
 */
const compiledWith = (compiler: string): Plugin => ({
  name: `compiled with ${createHash('sha1').update(compiler).update(settings).digest('hex')}`,
})

type Project = TestProjectInlineConfiguration

/** What compiles the decorators of users. */
const compilers = {
  standard: { plugins: [lowerStandardDecorators] },
  legacy: { oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } } },
  'bare legacy': { oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } } },
  'esbuild legacy': { plugins: [esbuildLegacy] },
  'TypeScript standard': { plugins: [typescriptStandard] },
} satisfies Record<string, Pick<Project, 'plugins' | 'oxc'>>

/** Compilers that differ from the first two only in what they make of decorators. */
const otherCompilers = ['bare legacy', 'esbuild legacy', 'TypeScript standard'] as const

/** Returns a project. It does not extend the configuration, which would be evaluated again for each one. */
export function project(
  test: Project['test'],
  { plugins = [], ...options }: Pick<Project, 'plugins' | 'oxc'> = {},
  compiler = 'no decorators',
): Project {
  return {
    resolve: { alias },
    ...options,
    plugins: [...plugins, compiledWith(compiler)],
    test: { ...common, ...test, env: { ...places, ...test?.env } },
  }
}

/** Returns a project whose tests one compiler compiles. */
export function compiledBy(compiler: keyof typeof compilers, test: Project['test']): Project {
  return project(
    {
      name: `${compiler} decorators`,
      isolate: false,
      setupFiles: compiler === 'legacy' ? ['reflect-metadata'] : [],
      ...test,
      env: { ...test?.env, DECORATORS: compiler },
    },
    compilers[compiler],
    compiler,
  )
}

/** Returns the patterns of all tests in folders below test/. */
export const testsIn = (...folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** Folders of tests without decorators. */
export const plain: readonly string[] = [
  ...['odata', 'rest', 'query', 'local', 'azure-entities', 'data-tables', 'patterns', 'cli'],
  'conformance',
]

/** The tests of packages that users compile decorators for. */
const mapped: readonly string[] = testsIn('mapper', 'rowkey')

/** Those that have decorators, or import a file that has some. The others are the same whatever compiles them. */
const decorated = testsWith(
  /^ *(?:export )?(?:default )?@[A-Z]/m,
  ...['test/mapper', 'test/rowkey'],
)

/** What depends most on how decorators are compiled. */
const ofDecorators = decorated.filter((file) =>
  /^test\/mapper\/(?:decorators|model|convert|self-mapping)\//.test(file),
)

const OF_CLASSES =
  /^test\/mapper\/(?:codec|convert|decorators|layers|model|plain|self-mapping|snapshot|union|versions)\//

/** What depends on how a class is compiled. The other decorated tests need a model, and their model happens to be a class. */
const ofClasses = decorated.filter(
  (file) => OF_CLASSES.test(file) && !file.endsWith('/histories.test.ts'),
)

/** Tests that put something else in the place of globals, which others must not meet. */
const patchedGlobals = 'test/**/*-msw.test.ts'

/**
 * Tests that start the command, the examples, a bundler or the service of an editor, and those that write thousands of rows. Only
 * `npm run check` runs them.
 */
export const commands: readonly string[] = [
  'test/*.test.ts',
  'test/rowkey/command/main.test.ts',
  'test/cli/processes/*.test.ts',
  'test/types/*.test.ts',
  'test/mapper/table/write/many-stored-rows.test.ts',
  'test/patterns/indexes/index-costs.test.ts',
  'test/patterns/upkeep/build-work.test.ts',
]

/** A file system in memory, where Linux has one. */
const IN_MEMORY = '/dev/shm'

/** The free bytes that the folders of tests are sure to fit in. Containers often have less. */
const ENOUGH = 2 ** 30

/** Where tests make folders. On a disk each commit waits for it, so only CI and `npm run check` test with one. */
const places =
  process.env.RANDOM_STEPS === undefined && freeBytesOf(IN_MEMORY) >= ENOUGH
    ? { TMPDIR: IN_MEMORY }
    : undefined

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** What holds for all tests. */
export const common = {
  // A limit against hanging, not a measure: the machine may have much else to do.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: '100%',
  execArgv: [
    // Most objects of a test die with it. With more room for young ones, workers need a twentieth less CPU.
    '--max-semi-space-size=64',
    // Most functions run too rarely to repay V8's best compiler. With its quick one first, workers need a sixth less CPU.
    '--always-sparkplug',
    '--interrupt-budget=1000000',
  ],
  // Only files that changed since they last ran are compiled. In node_modules, which `npm ci` empties.
  experimental: { fsModuleCache: true },
}

const exclude = [...configDefaults.exclude, ...commands]

/** What only `npm run check` runs of the tests of decorators by other compilers: each compiles all packages for itself. */
export const byOtherCompilers: readonly Project[] = [
  compiledBy('legacy', { include: decorated, exclude: [...exclude, ...ofClasses] }),
  ...otherCompilers.map((compiler) => compiledBy(compiler, { include: ofDecorators, exclude })),
]

export default defineConfig({
  test: {
    maxWorkers: common.maxWorkers,
    experimental: common.experimental,
    projects: [
      project({
        name: 'unit',
        include: testsIn(...plain),
        exclude: [...exclude, patchedGlobals],
        isolate: false,
      }),
      project({ name: 'patched globals', include: [patchedGlobals], exclude, isolate: true }),
      compiledBy('standard', { include: [...mapped, ...testsIn('meetings')], exclude }),
      compiledBy('legacy', { include: ofClasses, exclude }),
      project({ name: 'layout', include: ['test/layout/**/*.test.ts'], isolate: false }),
    ],
  },
})
