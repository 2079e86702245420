import { fileURLToPath } from 'node:url'
import { type TransformOptions, transform } from 'esbuild'
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'

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
  rowkey: source('rowkey'),
  '@rowkey/azure-entities': source('azure-entities'),
}

/** Compiles every source by another compiler than the test runner's own. */
function compileBy(name: string, compile: (code: string, file: string) => Promise<Output>): Plugin {
  return {
    name,
    enforce: 'pre',
    async transform(code, id) {
      const file = id.split('?')[0] ?? id
      return file.endsWith('.ts') ? compile(code, file) : undefined
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

/** What depends on how decorators are compiled. */
const decoratorTests = 'test/mapper/{decorators,model,convert,self-mapping}/**/*.test.ts'

/** Long tests of code that no decorator reaches; one way of compiling them is enough. */
const withoutDecorators = 'test/mapper/bulk/faults.test.ts'

/** Tests that put something else in the place of globals, which others must not meet. */
const patchedGlobals = 'test/**/*-msw.test.ts'

export default defineConfig({
  resolve: { alias },
  test: {
    // A limit against hanging, not a measure: the machine may have much else to do.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'test/{odata,rest,query,local,azure-entities,data-tables,patterns,conformance}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, patchedGlobals],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'patched globals', include: [patchedGlobals], isolate: true },
      },
      {
        extends: true,
        plugins: [lowerStandardDecorators],
        test: {
          name: 'standard decorators',
          include: ['test/{mapper,rowkey}/**/*.test.ts'],
          isolate: false,
          env: { DECORATORS: 'standard' },
        },
      },
      {
        extends: true,
        oxc: {
          decorator: { legacy: true, emitDecoratorMetadata: true },
        },
        test: {
          name: 'legacy decorators',
          include: ['test/{mapper,rowkey}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, withoutDecorators],
          isolate: false,
          setupFiles: ['reflect-metadata'],
          env: { DECORATORS: 'legacy' },
        },
      },
      {
        extends: true,
        oxc: { decorator: { legacy: true, emitDecoratorMetadata: false } },
        test: {
          name: 'bare legacy decorators',
          include: [decoratorTests],
          isolate: false,
          env: { DECORATORS: 'bare legacy' },
        },
      },
      {
        extends: true,
        plugins: [esbuildLegacy],
        test: {
          name: 'esbuild legacy decorators',
          include: [decoratorTests],
          isolate: false,
          env: { DECORATORS: 'esbuild legacy' },
        },
      },
      {
        extends: true,
        plugins: [typescriptStandard],
        test: {
          name: 'TypeScript standard decorators',
          include: [decoratorTests],
          isolate: false,
          env: { DECORATORS: 'TypeScript standard' },
        },
      },
      {
        extends: true,
        test: { name: 'layout', include: ['test/layout/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'examples', include: ['test/*.test.ts', 'test/types/*.test.ts'] },
      },
    ],
  },
})
