import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import type { TsdownPlugin } from 'tsdown'
import { parseAst } from 'vite'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

/**
 * Finds the module that replaces another one in browsers and workers, its twin: the file with the same path below
 * `src/web`, in the same package.
 *
 * @param specifier - the specifier of the import
 * @param importer - the file that imports it
 * @returns the path of the twin; `undefined` when it does not exist, or when the importer is a twin
 */
export function webTwin(specifier: string, importer: string | undefined): string | undefined {
  if (!specifier.startsWith('.') || importer?.startsWith(packages) !== true) return undefined
  const [, sources = '', below = ''] = /^(.*?\/src\/)(.*)$/.exec(importer) ?? []
  if (below.startsWith('web/')) return undefined
  const path = new URL(specifier, `file://${importer}`).pathname
  const twin = path.replace(sources, `${sources}web/`)
  return existsSync(twin) ? twin : undefined
}

/**
 * Names the modules of a package that have a twin: their paths below `src`, without `.ts`.
 *
 * @param name - the folder of the package
 */
export function twinsOf(name: string): readonly string[] {
  const folder = `${packages}${name}/src/web/`
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replaceAll('\\', '/').slice(0, -'.ts'.length))
    .sort()
}

/**
 * Imports a module that has a twin as `<package>/platform/<path>`. The `exports` of the package choose between both, so that
 * one copy of all other modules runs everywhere.
 *
 * @param specifier - the specifier of the import
 * @param importer - the file that imports it
 */
export function platformImport(
  specifier: string,
  importer?: string,
): { readonly id: string; readonly external: true } | undefined {
  const twin = webTwin(specifier, importer)
  const [, name = '', path] = /\/packages\/([\w-]+)\/src\/web\/(.+)\.ts$/.exec(twin ?? '') ?? []
  if (path === undefined) return undefined
  return { id: `${name === 'rowkey' ? name : `@rowkey/${name}`}/platform/${path}`, external: true }
}

export const platformImports: TsdownPlugin = { name: 'platform-imports', resolveId: platformImport }

/**
 * Declares the ES modules of a package by the declarations of their CommonJS copies. The names are the same, so one
 * declaration is enough: users install half as much, and a program that mixes both copies has one type for each class.
 */
export const oneDeclaration: TsdownPlugin = {
  name: 'one-declaration',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry || !chunk.fileName.endsWith('.mjs')) continue
      if (chunk.fileName.startsWith('platform/')) continue // imported by no program
      const name = chunk.fileName.replace(/\.mjs$/, '')
      if (name === 'msw') continue // declared by a copy
      const source = `export * from './${name}.cjs'\n`
      this.emitFile({ type: 'asset', fileName: `${name}.d.mts`, source })
    }
  },
}

/** The names at the end of the declarations; one of them is a static member of the class, too. */
const NAMES_OF_ENTITIES =
  /^export (\{.*) type (EntityWriteCongestionError),(.* Entity as default \};)$/m

/**
 * Declares what `require('@rowkey/azure-entities')` returns: the class itself, with the types in its namespace. There an `export`
 * cannot name a static member, so its type has a declaration.
 */
export function declareClassItself(): void {
  const path = `${packages}azure-entities/dist/index.d.cts`
  const code = readFileSync(path, 'utf8')
  if (!NAMES_OF_ENTITIES.test(code)) throw new Error(`${path} does not export Entity.`)
  const namespace = 'declare namespace Entity {\n  export $1$3\n  export type $2 = Congestion;\n}'
  const itself = `type Congestion = $2;\n${namespace}\nexport = Entity;`
  writeFileSync(path, code.replace(NAMES_OF_ENTITIES, itself))
}

/**
 * Maps lines in place of expressions: stack traces and breakpoints need no more, and the maps are a fifth as large. Lines of bundled
 * packages have no map, because their sources are not published.
 */
export const lineMaps: TsdownPlugin = {
  name: 'line-maps',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !/\.[cm]js\.map$/.test(file.fileName)) continue
      const map = JSON.parse(String(file.source))
      const isOwn = map.sources.map((path: string) => !path.includes('node_modules/'))
      const lines = decode(map.mappings).map((line) =>
        line
          .slice(0, 1)
          .map((at) => at.slice(0, 4))
          .filter(([, source = 0]) => isOwn[source]),
      )
      file.source = JSON.stringify({ ...map, names: [], mappings: encode(lines as never) })
    }
  },
}

/**
 * Marks the calls that make the constants of a module as free of effects. `sideEffects` of package.json says so of whole
 * modules, but the build makes one of many, and then bundlers left in what a program does not use. No line moves.
 *
 * @param code - a module
 */
export function withPureCalls(code: string): string {
  const constants = parseAst(code).body.map((node) =>
    node.type === 'ExportNamedDeclaration' ? node.declaration : node,
  )
  const values = constants.flatMap((node) =>
    node?.type === 'VariableDeclaration' ? node.declarations.map(({ init }) => init) : [],
  )
  const places = values.flatMap(callsIn).sort((one, other) => other - one)
  return places.reduce((text, at) => `${text.slice(0, at)}/* @__PURE__ */ ${text.slice(at)}`, code)
}

export const pureCalls: TsdownPlugin = {
  name: 'pure-calls',
  renderChunk(code, { fileName }) {
    const isCode = /\.[cm]js$/.test(fileName) // in place of declarations
    return isCode ? { code: withPureCalls(code), map: null } : null
  },
}

/** Keeps the `type` of `export type * from` in declarations: without it, `rowkey` would promise values that it does not export. */
export function declareTypesOnly(): void {
  const path = `${packages}rowkey/dist/index.d.cts`
  const code = readFileSync(path, 'utf8')
  const typed = code.replaceAll(/^export \* from (?="@rowkey\/)/gm, 'export type * from ')
  if (typed === code) throw new Error(`${path} does not export the types of its packages.`)
  writeFileSync(path, typed)
}

/** Returns where the calls begin that evaluate a value: not those in its functions. */
function callsIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, start } = value as { readonly type?: unknown; readonly start?: unknown }
  if (typeof type === 'string' && /Function|Class/.test(type)) return []
  const isCall = type === 'CallExpression' || type === 'NewExpression'
  const inner = Object.values(value).flatMap(callsIn)
  return isCall && typeof start === 'number' ? [start, ...inner] : inner
}
