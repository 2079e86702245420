import { defineConfig, type UserConfig } from 'tsdown'
import { deepImports } from './scripts/deep-imports.ts'
import { type TwinFolder, webTwin } from './scripts/web-twin.ts'

/** The XML reader. It is bundled: with its eight packages it would be most of what users install. */
const XML = [
  'fast-xml-parser',
  '@nodable/entities',
  'anynum',
  'is-unsafe',
  'path-expression-matcher',
  'strnum',
  'xml-naming',
]
/** The algorithms in JavaScript: WebCrypto has no synchronous calls. */
const NOBLE = ['@noble/ciphers', '@noble/hashes']

/** The declarations keep the comments of the API, and bundlers read the annotations. */
const COMMENTS = { annotation: true, jsdoc: false, legal: true }

const base: UserConfig = {
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.18',
  tsconfig: 'tsconfig.json',
  dts: { oxc: true, sourcemap: false },
  deps: { neverBundle: [/^@rowkey\//, 'rowkey'], onlyBundle: XML },
  // CommonJS loads CommonJS. `import()` needs a callback that Jest and other loaders do not give.
  outputOptions: (options, format) => ({
    ...options,
    comments: COMMENTS,
    ...(format === 'cjs' && { dynamicImportInCjs: false }),
  }),
  // The time of a plugin says nothing about the code.
  checks: { pluginTimings: false },
  failOnWarn: true,
}

/** Replaces modules by their twins: see `webTwin`. */
const twins = (...folders: readonly TwinFolder[]) =>
  folders.map((folder) => ({
    name: `${folder}-twins`,
    resolveId: (specifier: string, importer?: string) => webTwin(specifier, importer, folder),
  }))

/** Imports the files of other packages instead of their indexes: see `deepImports`. */
const deep = { name: 'deep-imports', renderChunk: deepImports }

/**
 * The same package for bundlers: each source file stays a file, so that a bundle has only those that the program
 * uses, and those behind an `import()` become chunks of their own.
 */
const modules = (name: string, platform: 'node' | 'browser' = 'node'): UserConfig => ({
  ...base,
  deps: { ...base.deps, onlyBundle: [...XML, ...NOBLE] },
  cwd: `packages/${name}`,
  entry: ['src/index.ts'],
  format: 'esm',
  outDir: platform === 'node' ? 'dist/modules' : 'dist/web',
  platform,
  target: 'es2022',
  dts: false,
  unbundle: true,
  clean: false,
  outputOptions: (options) => ({
    ...options,
    comments: COMMENTS,
    // A twin has the path of the file that it replaces. npm leaves folders called node_modules out of a package.
    entryFileNames: ({ name }) =>
      `${name.replace(/^web\//, '').replaceAll('node_modules', 'bundled')}.mjs`,
  }),
  plugins: [...(platform === 'browser' ? twins('web') : []), deep],
})

/** The same package for browsers and workers, without Node's modules. The types are the same. */
const web = (name: string, bundled: string[] = []): UserConfig => ({
  ...base,
  deps: { ...base.deps, onlyBundle: [...XML, ...bundled] },
  cwd: `packages/${name}`,
  entry: { web: 'src/index.ts' },
  platform: 'browser',
  target: 'es2022',
  fixedExtension: true,
  dts: false,
  clean: false,
  plugins: twins('web'),
})

export default defineConfig([
  // Each package twice, for `import` and for `require`; other packages stay outside the bundle.
  {
    ...base,
    workspace: { include: ['packages/*'], exclude: ['packages/azure-entities'] },
    entry: ['src/index.ts'],
    clean: true,
  },
  // `require` returns the class itself, as that library does; its types need `default`, too.
  {
    ...base,
    cwd: 'packages/azure-entities',
    entry: ['src/index.ts'],
    clean: true,
    outputOptions: (options, format) =>
      format === 'cjs'
        ? {
            ...options,
            comments: COMMENTS,
            dynamicImportInCjs: false,
            footer: 'module.exports.default = module.exports;',
          }
        : { ...options, comments: COMMENTS },
  },
  // The handlers for msw, which is an optional peer.
  { ...base, cwd: 'packages/local', entry: { msw: 'src/msw/table-handlers.ts' }, clean: false },
  // The plugin for Vite and Vitest, whose compilers are optional peers.
  { ...base, cwd: 'packages/rowkey', entry: { vite: 'src/vite/plugin.ts' }, clean: false },
  // What few programs need, so that `rowkey` itself stays a short list of names.
  { ...base, cwd: 'packages/rowkey', entry: ['src/entries/*.ts'], clean: false },
  // Without undici, and without the embedded service unless the program imports it.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { fetch: 'src/fetch/connect.ts' },
    clean: false,
    plugins: twins('bundled'),
  },
  // The same for bundlers.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: {
      encryption: 'src/entries/encryption.ts',
      errors: 'src/entries/errors.ts',
      fetch: 'src/fetch/connect.ts',
      testing: 'src/entries/testing.ts',
    },
    format: 'esm',
    outDir: 'dist/modules',
    dts: false,
    clean: false,
    plugins: [...twins('bundled'), deep],
  },
  // The command runs by itself and is never imported.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { command: 'src/command/main.ts' },
    format: 'esm',
    dts: false,
    clean: false,
  },
  modules('odata'),
  modules('query'),
  modules('rest'),
  modules('rest', 'browser'),
  modules('mapper'),
  modules('mapper', 'browser'),
  modules('patterns'),
  { ...web('rest'), format: 'cjs' },
  { ...web('mapper', NOBLE), format: 'cjs' },
  // The embedded service in memory, without its listener and its folder.
  web('local', NOBLE),
  web('rowkey'),
  // The same for bundlers: the embedded service is in a bundle only by an import of `rowkey/embedded`.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { bundled: 'src/index.ts' },
    format: 'esm',
    dts: false,
    clean: false,
    plugins: [...twins('bundled'), deep],
  },
  {
    ...web('rowkey'),
    entry: { 'web-bundled': 'src/index.ts' },
    format: 'esm',
    plugins: [...twins('bundled', 'web'), deep],
  },
])
