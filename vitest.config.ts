import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type TransformOptions, transform } from 'esbuild'
import { type Plugin, transformWithOxc } from 'vite'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { CacheKeyIdGenerator } from 'vitest/node'
import { testsWith } from './test/support/tests-with.ts'

const require = createRequire(import.meta.url)

const source = (name: string, file = 'index') =>
  fileURLToPath(new URL(`./packages/${name}/src/${file}.ts`, import.meta.url))

/** Tests run on the sources, so that no build can be stale. */
export const alias = {
  '@rowkey/odata': source('odata'),
  // Before the package itself, whose name it begins with.
  '@rowkey/rest/testing': source('rest', 'entries/testing'),
  '@rowkey/rest': source('rest'),
  '@rowkey/query': source('query'),
  '@rowkey/mapper/other-clients': source('mapper', 'entries/other-clients'),
  '@rowkey/mapper': source('mapper'),
  '@rowkey/local/msw': source('local', 'msw/table-handlers'),
  '@rowkey/local': source('local'),
  'rowkey/embedded': source('rowkey', 'entries/embedded'),
  '@rowkey/patterns': source('patterns'),
  'rowkey/encryption': source('rowkey', 'entries/encryption'),
  'rowkey/fetch': source('rowkey', 'fetch/connect'),
  'rowkey/other-clients': source('rowkey', 'entries/other-clients'),
  'rowkey/testing': source('rowkey', 'entries/testing'),
  'rowkey/vite': source('rowkey', 'vite/plugin'),
  '@rowkey/data-tables': source('data-tables'),
  '@rowkey/cli': source('cli'),
  '@rowkey/studio': source('studio'),
  rowkey: source('rowkey'),
  '@rowkey/azure-entities': source('azure-entities'),
}

/** The classes of users: packages are compiled by one compiler, whatever compiles these. */
const tests = fileURLToPath(new URL('./test/', import.meta.url))

type Output = { readonly code: string; readonly map: string }

/** What begins the names of the plugins that compile decorators. */
const DECORATORS = 'decorators by '

/** The beginning of a line that decorates a class or a member. */
const HAS_DECORATORS = /^ *(?:export )?(?:default )?@[A-Z]/m

/** Compiles the tests by another compiler than the test runner's own: all, or those with a text. */
function compileBy(
  name: string,
  compile: (code: string, file: string) => Promise<Output>,
  text = /^/,
): Plugin<{ vitest: { experimental: { ignoreFsModuleCache: boolean } } }> {
  return {
    name: DECORATORS + name,
    enforce: 'pre',
    // Else its name would tell its compiled packages from the same ones of other projects; `compiledBefore` tells tests apart.
    api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
    async transform(code, id) {
      const file = id.split('?')[0] ?? id
      const isCompiled = file.startsWith(tests) && file.endsWith('.ts') && text.test(code)
      return isCompiled ? compile(code, file) : undefined
    },
  }
}

type TsconfigRaw = Exclude<TransformOptions['tsconfigRaw'], string | undefined>

/** What esbuild and tsx do, and bundlers that stand on it. */
const compileByEsbuild =
  (compilerOptions: TsconfigRaw['compilerOptions']) =>
  async (code: string, sourcefile: string): Promise<Output> => {
    const tsconfigRaw = { compilerOptions: { target: 'es2022', ...compilerOptions } }
    const { code: js, map } = await transform(code, {
      loader: 'ts',
      target: 'es2022',
      sourcefile,
      sourcemap: true,
      tsconfigRaw,
    })
    return { code: js, map }
  }

/** What Vite does, and bundlers that stand on Rolldown. */
const oxcLegacy = (name: string, emitDecoratorMetadata: boolean): Plugin =>
  compileBy(name, async (code, file) => {
    const decorator = { legacy: true, emitDecoratorMetadata }
    const { code: js, map } = await transformWithOxc(code, file, { decorator })
    return { code: js, map: JSON.stringify(map) }
  })

/** The test runner's own compiler leaves standard decorators as they are; no Node runs them yet. */
export const lowerStandardDecorators: Plugin = compileBy(
  'esbuild',
  compileByEsbuild({ useDefineForClassFields: true }),
  HAS_DECORATORS,
)

/** What tsc does with decorators when no option is set. */
const typescriptStandard = compileBy('TypeScript', async (code, fileName) => {
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

/** One function for all projects, because the test runner calls each one that it gets. */
const compilerOf: CacheKeyIdGenerator = ({ environment, id }) =>
  id.startsWith(tests)
    ? environment.config.plugins.find(({ name }) => name.startsWith(DECORATORS))?.name
    : undefined

/**
 * Names what compiled a stored module. The test runner looks modules up by their text, the installed packages and the
 * names of plugins, so without this a module that was compiled by other settings would be found too. All projects share the packages.
 */
const compiledBefore: Plugin = {
  name: `compiled with ${createHash('sha1').update(settings).digest('hex')}`,
  configureVitest: ({ experimental_defineCacheKeyGenerator }) =>
    experimental_defineCacheKeyGenerator(compilerOf),
}

type Project = TestProjectInlineConfiguration

/** What compiles the decorators of users. */
const compilers = {
  standard: lowerStandardDecorators,
  legacy: oxcLegacy('Oxc, with metadata', true),
  'bare legacy': oxcLegacy('Oxc, without metadata', false),
  'esbuild legacy': compileBy(
    'esbuild, legacy',
    compileByEsbuild({ experimentalDecorators: true, useDefineForClassFields: false }),
  ),
  'TypeScript standard': typescriptStandard,
} satisfies Record<string, Plugin>

/** Returns a project. It does not extend the configuration, which would be evaluated again for each one. */
export function project(
  test: Project['test'],
  compiler: keyof typeof compilers = 'standard',
): Project {
  const compareTicks = `${tests}support/compare-ticks.ts`
  const setupFiles = compiler === 'legacy' ? ['reflect-metadata', compareTicks] : [compareTicks]
  return {
    resolve: { alias },
    plugins: [compilers[compiler], compiledBefore],
    test: {
      ...common,
      isolate: false,
      setupFiles,
      ...test,
      env: { ...places, DECORATORS: compiler, ...test?.env },
    },
  }
}

/** Tests with decorators, or that import a file with some. The others are the same whatever compiles them. */
const decorated = testsWith(HAS_DECORATORS, 'test/mapper', 'test/rowkey')

/** What depends on how decorators are compiled. The other decorated tests need a model, and their model happens to be a class. */
const ofDecorators = decorated.filter((file) =>
  /^test\/mapper\/(?:decorators|model|convert|self-mapping)\//.test(file),
)

/** Tests that put something else in the place of globals or of a module, which others must not meet. */
const patchedGlobals = ['test/**/*-msw.test.ts', 'test/**/invented-option.test.ts']

/**
 * Tests that start the command, the examples, a bundler or the service of an editor, those that write thousands of rows, and one that
 * counts the steps of all code that its process has loaded.
 */
export const commands: readonly string[] = [
  'test/*.test.ts',
  'test/rowkey/command/main.test.ts',
  'test/cli/command/main.test.ts',
  'test/cli/processes/*.test.ts',
  'test/cli/target/entra-tokens.test.ts',
  'test/types/*.test.ts',
  'test/conformance/linear-text.test.ts',
  'test/mapper/writes/many-stored-rows.test.ts',
  'test/patterns/indexes/index-costs.test.ts',
  'test/patterns/derived/build.test.ts',
]

/** A file system in memory, where Linux has one. */
const IN_MEMORY = '/dev/shm'

/** The free bytes that the folders of tests are sure to fit in. Containers often have less. */
const ENOUGH = 2 ** 30

/**
 * Where tests make folders, on a laptop as in CI. On a disk, each commit waits for it; what a killed process leaves is the same, because
 * the system has the writes.
 */
const places = freeBytesOf(IN_MEMORY) >= ENOUGH ? { TMPDIR: IN_MEMORY } : undefined

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
  testTimeout: 180_000,
  hookTimeout: 180_000,
  maxWorkers: '100%',
  execArgv: [
    // Most objects of a test die with it. With more room for young ones, workers need a twentieth less CPU.
    '--max-semi-space-size=64',
    // Most functions run too rarely to repay V8's best compiler. With its quick one first, workers need a tenth less CPU. These flags only
    // decide when V8 compiles a function: hot ones, as in long histories, still reach the best compiler, and the commands, consumers and
    // peers that tests start have no flags.
    '--always-sparkplug',
    '--interrupt-budget=1000000',
  ],
  // Only files that changed since they last ran are compiled. In node_modules, which `npm ci` empties.
  experimental: { fsModuleCache: true },
}

const exclude = [...configDefaults.exclude, ...commands]

/** Decorators by other compilers than `npm test` knows, and the second one in the tests that it leaves out: each night. */
export const byOtherCompilers: readonly Project[] = [
  project(
    {
      name: 'legacy decorators',
      include: decorated,
      exclude: [...exclude, ...ofDecorators],
    },
    'legacy',
  ),
  ...(['bare legacy', 'esbuild legacy', 'TypeScript standard'] as const).map((compiler) =>
    project({ name: `${compiler} decorators`, include: ofDecorators, exclude }, compiler),
  ),
]

export default defineConfig({
  test: {
    maxWorkers: common.maxWorkers,
    experimental: common.experimental,
    projects: [
      project({
        name: 'tests',
        include: ['test/**/*.test.ts'],
        exclude: [...exclude, ...patchedGlobals, 'test/{layout,peers,browsers,consumers}/**'],
      }),
      project({ name: 'patched globals', include: patchedGlobals, exclude, isolate: true }),
      project({ name: 'legacy decorators', include: ofDecorators, exclude }, 'legacy'),
      // One worker, which loads TypeScript and the sources once for all.
      project({
        name: 'layout',
        include: ['test/layout/**/*.test.ts'],
        maxWorkers: 1,
        // Projects of another number of workers run one after another.
        sequence: { groupOrder: 1 },
      }),
    ],
  },
})
