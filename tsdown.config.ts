import { copyFileSync, readFileSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'tsdown'
import {
  declareClassItself,
  declareTypesOnly,
  lineMaps,
  oneDeclaration,
  platformImports,
  pureCalls,
  twinsOf,
} from './scripts/build/plugins.ts'

/** What is bundled into the packages: the XML parser with its packages, the algorithms that WebCrypto lacks, and completions. */
const BUNDLED = [
  'fast-xml-parser',
  '@nodable/entities',
  'anynum',
  'is-unsafe',
  'path-expression-matcher',
  'strnum',
  'xml-naming',
  '@noble/ciphers',
  '@noble/hashes',
  '@bomb.sh/tab',
]

type Entries = Readonly<Record<string, string>>

const INDEX: Entries = { index: 'src/index.ts' }

/** The entries of each package, for `import` and for `require`. */
const ENTRIES: Readonly<Record<string, Entries>> = {
  odata: INDEX,
  query: INDEX,
  rest: { ...INDEX, testing: 'src/entries/testing.ts' },
  mapper: { ...INDEX, 'other-clients': 'src/entries/other-clients.ts' },
  patterns: INDEX,
  'data-tables': INDEX,
  cli: INDEX,
  studio: INDEX,
  'azure-entities': INDEX,
  local: { ...INDEX, msw: 'src/msw/table-handlers.ts' },
  rowkey: {
    ...INDEX,
    embedded: 'src/entries/embedded.ts',
    encryption: 'src/entries/encryption.ts',
    fetch: 'src/fetch/connect.ts',
    'other-clients': 'src/entries/other-clients.ts',
    testing: 'src/entries/testing.ts',
    vite: 'src/vite/plugin.ts',
  },
}

/** The modules of a package that need Node, and those that replace them in browsers and workers. */
const platformEntries = (name: string): Entries =>
  Object.fromEntries(
    twinsOf(name).flatMap((path) => [
      [`platform/${path}`, `src/${path}.ts`],
      [`platform/web/${path}`, `src/web/${path}.ts`],
    ]),
  )

/** `require` returns the class itself, as that library does; its types need `default`, too. */
const CLASS_ITSELF = 'module.exports.default = module.exports;'

/**
 * Declares `@rowkey/local/msw` for `import` by a copy, because msw has other classes for `import` than for `require`: what is
 * declared once would have those for `require`.
 */
const declareMswTwice = () =>
  copyFileSync('packages/local/dist/msw.d.cts', 'packages/local/dist/msw.d.mts')

/** All packages are released together. */
const { version } = JSON.parse(readFileSync('packages/rest/package.json', 'utf8'))

const build = (name: string, config: UserConfig): UserConfig => ({
  cwd: `packages/${name}`,
  format: { esm: { dts: false }, cjs: {} },
  platform: 'node',
  target: 'es2022',
  tsconfig: 'tsconfig.json',
  sourcemap: true,
  define: { ROWKEY_VERSION: JSON.stringify(version) },
  dts: false,
  clean: false,
  deps: { neverBundle: [/^@rowkey\//, 'rowkey'], onlyBundle: BUNDLED },
  // CommonJS loads CommonJS. `import()` needs a callback that Jest and other loaders do not give.
  outputOptions: (options, format) => ({
    ...options,
    sourcemapExcludeSources: true, // they are published beside the build
    comments: { annotation: true, jsdoc: false, legal: true },
    ...(format === 'cjs' && { dynamicImportInCjs: false }),
    ...(format === 'cjs' && name === 'azure-entities' && { footer: CLASS_ITSELF }),
  }),
  // The time of a plugin says nothing about the code.
  checks: { pluginTimings: false },
  treeshake: { propertyReadSideEffects: false },
  failOnWarn: true,
  ...config,
})

export default defineConfig([
  ...Object.entries(ENTRIES).map(([name, entry]) =>
    build(name, {
      entry: { ...entry, ...platformEntries(name) },
      clean: true,
      dts: { oxc: true, sourcemap: true, entry: Object.values(entry).map((path) => `**/${path}`) },
      plugins: [platformImports, oneDeclaration, pureCalls, lineMaps],
      ...(name === 'local' && {
        format: { esm: { dts: false }, cjs: { onSuccess: declareMswTwice } },
      }),
      ...(name === 'rowkey' && {
        format: { esm: { dts: false }, cjs: { onSuccess: declareTypesOnly } },
      }),
      // `export *` leaves out the class, which is its default export.
      ...(name === 'azure-entities' && {
        format: { esm: {}, cjs: { onSuccess: declareClassItself } },
        plugins: [platformImports, pureCalls, lineMaps],
      }),
    }),
  ),
  // The page of `rowkey studio` runs in a browser. It has no map, because its sources are not published.
  build('studio', {
    entry: { studio: 'page/main.tsx' },
    outDir: 'dist/page',
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    tsconfig: 'page/tsconfig.json',
    minify: true,
    sourcemap: false,
    deps: { alwaysBundle: ['preact'], onlyBundle: ['preact'] },
    outExtensions: () => ({ js: '.js' }),
    copy: ['index.html', 'studio.css', 'icon.svg'].map((file) => `page/${file}`),
  }),
  // The commands run by themselves and are never imported.
  ...['rowkey', 'cli'].map((name) =>
    build(name, { entry: { command: 'src/command/main.ts' }, format: 'esm' }),
  ),
])
