import { defineConfig, type UserConfig } from 'tsdown'
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

const base: UserConfig = {
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.18',
  tsconfig: 'tsconfig.json',
  dts: { oxc: true, sourcemap: false },
  deps: { neverBundle: [/^@rowkey\//, 'rowkey'], onlyBundle: XML },
  // CommonJS loads CommonJS. `import()` needs a callback that Jest and other loaders do not give.
  outputOptions: (options, format) =>
    format === 'cjs' ? { ...options, dynamicImportInCjs: false } : options,
  // The time of a plugin says nothing about the code.
  checks: { pluginTimings: false },
  failOnWarn: true,
}

/** Replaces modules by their twins: see `webTwin`. */
const twins = (...folders: readonly TwinFolder[]): UserConfig['plugins'] =>
  folders.map((folder) => ({
    name: `${folder}-twins`,
    resolveId: (specifier: string, importer?: string) => webTwin(specifier, importer, folder),
  }))

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
            dynamicImportInCjs: false,
            footer: 'module.exports.default = module.exports;',
          }
        : options,
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
  // The command runs by itself and is never imported.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { command: 'src/command/main.ts' },
    format: 'esm',
    dts: false,
    clean: false,
  },
  web('rest'),
  // The embedded service in memory, without its listener and its folder.
  web('local', ['@noble/ciphers', '@noble/hashes']),
  // WebCrypto has no synchronous calls, so that browsers get the algorithms in JavaScript.
  web('mapper', ['@noble/ciphers', '@noble/hashes']),
  web('rowkey'),
  // The same for bundlers: the embedded service is in a bundle only by an import of `rowkey/embedded`.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { bundled: 'src/index.ts' },
    format: 'esm',
    dts: false,
    clean: false,
    plugins: twins('bundled'),
  },
  {
    ...web('rowkey'),
    entry: { 'web-bundled': 'src/index.ts' },
    format: 'esm',
    plugins: twins('bundled', 'web'),
  },
])
