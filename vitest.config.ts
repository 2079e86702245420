import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
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
  '@rowkey/local/msw': source('local', 'table-handlers'),
  '@rowkey/local': source('local'),
  rowkey: source('rowkey'),
}

/** The test runner's own compiler leaves standard decorators as they are; no Node runs them yet. */
export const lowerStandardDecorators: Plugin = {
  name: 'lower-standard-decorators',
  enforce: 'pre',
  async transform(code, id) {
    const file = id.split('?')[0] ?? id
    if (!file.endsWith('.ts')) return undefined
    const lowered = await transform(code, {
      loader: 'ts',
      target: 'es2022',
      sourcefile: file,
      sourcemap: true,
      tsconfigRaw: { compilerOptions: { target: 'es2022', useDefineForClassFields: true } },
    })
    return { code: lowered.code, map: lowered.map }
  },
}

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
          include: ['test/{odata,rest,query,local,conformance}/**/*.test.ts'],
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
          isolate: false,
          setupFiles: ['reflect-metadata'],
          env: { DECORATORS: 'legacy' },
        },
      },
      {
        extends: true,
        test: { name: 'layout', include: ['test/layout/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'examples', include: ['test/*.test.ts'] },
      },
    ],
  },
})
