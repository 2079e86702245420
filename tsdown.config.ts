import { defineConfig, type UserConfig } from 'tsdown'
import { deepImports, exportedFrom } from './scripts/build/deep-imports.ts'
import { loadedWith, mainLine, mainLineGroups } from './scripts/build/main-line.ts'
import { namesByFile } from './scripts/build/names-by-file.ts'
import { oneDeclaration } from './scripts/build/one-declaration.ts'
import { platformImport, type TwinFolder, twinsOf, webTwin } from './scripts/build/web-twin.ts'

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
  platform: 'node',
  target: 'node20.18',
  tsconfig: 'tsconfig.json',
  dts: false,
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

/** CommonJS has the declarations. */
const BOTH = { esm: { dts: false }, cjs: {} } as const
const DECLARATIONS = { oxc: true, sourcemap: false }
const INDEX_DECLARATIONS = { ...DECLARATIONS, entry: '**/src/index.ts' }

/** For `import` and for `require`. CommonJS has the declarations, and ES modules name them: see `oneDeclaration`. */
const typed: UserConfig = {
  ...base,
  format: BOTH,
  dts: DECLARATIONS,
  plugins: [oneDeclaration],
}

/** Replaces modules by their twins: see `webTwin`. */
const twins = (...folders: readonly TwinFolder[]) =>
  folders.map((folder) => ({
    name: `${folder}-twins`,
    resolveId: (specifier: string, importer?: string) => webTwin(specifier, importer, folder),
  }))

/** Imports the files of other packages instead of their indexes: see `deepImports`. */
const deep = { name: 'deep-imports', renderChunk: deepImports }

/** Leaves the choice between a module and its twin to the program that loads the package: see `platformImport`. */
const platforms = { name: 'platform-imports', resolveId: platformImport }

/** The index of a package, and the files of both platforms that it imports by name. */
const onEveryPlatform = (name: string): UserConfig => ({
  ...base,
  deps: { ...base.deps, onlyBundle: [...XML, ...NOBLE] },
  cwd: `packages/${name}`,
  entry: {
    index: 'src/index.ts',
    ...Object.fromEntries(
      twinsOf(name).flatMap((path) => [
        [`platform/${path}`, `src/${path}.ts`],
        [`platform/web/${path}`, `src/web/${path}.ts`],
      ]),
    ),
  },
  target: 'es2022',
  clean: false,
  plugins: [platforms],
})

const MAIN_LINE = await mainLine()

/**
 * What `import` or `require` of a package loads, in as few files as twins allow: Node takes a quarter of a millisecond for
 * each. Only what is loaded on demand has files of its own.
 */
const fewFiles = async (name: string): Promise<NonNullable<UserConfig['outputOptions']>> => {
  const loaded = await loadedWith([`${name}/src/index.ts`])
  const groups = [...(await mainLineGroups(name, loaded))]
  return (options, format) => ({
    ...options,
    comments: COMMENTS,
    ...(format === 'cjs' && { dynamicImportInCjs: false }),
    codeSplitting: { groups },
  })
}

/**
 * The same package for bundlers. What every program loads is one file; other public names have files of their own, so
 * that a bundle has only those that the program uses, and those behind an `import()` become chunks of their own.
 */
const modules = async (name: string): Promise<UserConfig> => {
  const groups = [...(await mainLineGroups(name, MAIN_LINE))]
  return {
    ...onEveryPlatform(name),
    entry: [
      'src/index.ts',
      ...[...exportedFrom(name).keys()].map((path) => `src/${path}.ts`),
      ...twinsOf(name).flatMap((path) => [`src/${path}.ts`, `src/web/${path}.ts`]),
    ],
    format: 'esm',
    outDir: 'dist/modules',
    outputOptions: (options) => ({
      ...options,
      comments: COMMENTS,
      chunkFileNames: '[name].mjs',
      codeSplitting: { groups },
    }),
    plugins: [...twins('bundled'), platforms, deep, namesByFile(name)],
  }
}

/** `rowkey` for browsers and workers, without Node's modules. The types are the same. */
const web: UserConfig = {
  ...base,
  cwd: 'packages/rowkey',
  entry: { web: 'src/index.ts' },
  format: ['esm', 'cjs'],
  platform: 'browser',
  target: 'es2022',
  fixedExtension: true,
  clean: false,
  plugins: twins('web'),
}

export default defineConfig([
  // Each package twice, for `import` and for `require`; other packages stay outside the bundle.
  {
    ...typed,
    workspace: ['odata', 'query', 'patterns', 'data-tables', 'rowkey'].map(
      (name) => `packages/${name}`,
    ),
    entry: ['src/index.ts'],
    clean: true,
  },
  // These have parts of their own for browsers and workers. Bundlers and browsers read the modules of the first two.
  ...(
    await Promise.all(
      ['rest', 'mapper'].map(async (name): Promise<UserConfig[]> => {
        const outputOptions = await fewFiles(name)
        // Some of what is loaded on demand has public names too, so the index has it.
        const checks = { ...base.checks, ineffectiveDynamicImport: false }
        return [
          {
            ...typed,
            cwd: `packages/${name}`,
            entry: ['src/index.ts'],
            format: 'esm',
            dts: false,
            clean: true,
            checks,
            outputOptions,
          },
          {
            ...onEveryPlatform(name),
            format: 'cjs',
            dts: INDEX_DECLARATIONS,
            checks,
            outputOptions,
          },
        ]
      }),
    )
  ).flat(),
  {
    ...onEveryPlatform('local'),
    format: BOTH,
    dts: INDEX_DECLARATIONS,
    clean: true,
    plugins: [platforms, oneDeclaration],
  },
  // `require` returns the class itself, as that library does; its types need `default`, too.
  {
    ...base,
    format: ['esm', 'cjs'],
    dts: DECLARATIONS,
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
  // The handlers for msw, which is an optional peer. Its ES modules and its CommonJS copies have types of their own.
  {
    ...base,
    format: ['esm', 'cjs'],
    dts: DECLARATIONS,
    cwd: 'packages/local',
    entry: { msw: 'src/msw/table-handlers.ts' },
    clean: false,
  },
  // The plugin for Vite and Vitest, whose compilers are optional peers.
  { ...typed, cwd: 'packages/rowkey', entry: { vite: 'src/vite/plugin.ts' }, clean: false },
  // What few programs need, so that `rowkey` itself stays a short list of names.
  { ...typed, cwd: 'packages/rowkey', entry: ['src/entries/*.ts'], clean: false },
  // Without undici, and without the embedded service unless the program imports it.
  {
    ...typed,
    cwd: 'packages/rowkey',
    entry: { fetch: 'src/fetch/connect.ts' },
    clean: false,
    plugins: [...twins('bundled'), oneDeclaration],
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
    clean: false,
    plugins: [...twins('bundled'), deep],
  },
  // The command runs by itself and is never imported.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { command: 'src/command/main.ts' },
    format: 'esm',
    clean: false,
  },
  ...(await Promise.all(['odata', 'query', 'rest', 'mapper', 'patterns'].map(modules))),
  web,
  // The same for bundlers: the embedded service is in a bundle only by an import of `rowkey/embedded`.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { bundled: 'src/index.ts' },
    format: 'esm',
    clean: false,
    plugins: [...twins('bundled'), deep],
  },
  {
    ...web,
    entry: { 'web-bundled': 'src/index.ts' },
    format: 'esm',
    plugins: [...twins('bundled', 'web'), deep],
  },
])
