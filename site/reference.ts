/**
 * Writes the pages of the reference that the search reads: one for each package, with every public name, what it does, and a link to
 * the page that typedoc writes for it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { anchorOf } from './.vitepress/github-markdown.ts'

const root = join(import.meta.dirname, '..')
const folder = join(import.meta.dirname, 'reference')

/** An entry point: what a program imports, and what typedoc calls its module. */
interface Entry {
  readonly specifier: string
  readonly module: string
  readonly types: string
  readonly description: string
}

/** The folders of typedoc, with the flags of the symbols that it puts there. */
const KINDS: readonly (readonly [flags: ts.SymbolFlags, folder: string, title: string])[] = [
  [ts.SymbolFlags.Class, 'classes', 'Classes'],
  [ts.SymbolFlags.Function, 'functions', 'Functions'],
  [ts.SymbolFlags.Variable, 'variables', 'Constants'],
  [ts.SymbolFlags.Interface, 'interfaces', 'Interfaces'],
  [ts.SymbolFlags.TypeAlias, 'types', 'Types'],
]

/** The entries of packages beside their index, but for those of `rowkey`, whose names the packages document. */
const FURTHER: Readonly<Record<string, readonly [entry: string, path: string, what: string]>> = {
  local: ['msw', 'msw/table-handlers', 'Handlers of msw, which respond as the embedded service.'],
  mapper: [
    'other-clients',
    'entries/other-clients',
    'Values and encrypted rows of Java and .NET clients.',
  ],
  rest: ['testing', 'entries/testing', 'Transports that record, replay, delay and fail.'],
}

const entries = readdirSync(join(root, 'packages')).flatMap(entriesOf)
const program = ts.createProgram({
  rootNames: entries.map(({ types }) => types),
  options: {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
    noResolve: false,
    types: [],
    paths: Object.fromEntries(entries.map(({ specifier, types }) => [specifier, [types]])),
  },
})
const checker = program.getTypeChecker()

const namesOfRowkey = entries
  .filter(({ specifier }) => specifier === 'rowkey')
  .flatMap((entry) => symbolsOf(entry).map(({ name }) => name))

export function writeReference(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const entry of entries) writeFileSync(join(folder, `${fileOf(entry)}.md`), pageOf(entry))
  writeFileSync(join(folder, 'index.md'), overview())
}

/** Reads the entry points of a package that typedoc documents. */
function entriesOf(name: string): readonly Entry[] {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const module = manifest.name.replace('/', '_').replace('@', '_')
  const types = join(root, 'packages', name, '.tsc')
  const { name: specifier, description } = manifest
  const index = { specifier, description, types: join(types, 'index.d.ts') }
  const further = FURTHER[name]
  if (further === undefined) return [{ ...index, module }]
  const [entry, path, what] = further
  return [
    { ...index, module: `${module}.index` },
    {
      specifier: `${specifier}/${entry}`,
      description: what,
      module: `${module}.${path.replace('/', '_')}`,
      types: join(types, `${path}.d.ts`),
    },
  ]
}

function fileOf({ specifier }: Entry): string {
  return specifier.replace('@rowkey/', '').replaceAll('/', '-')
}

function overview(): string {
  const rows = entries.map(
    (entry) => `| [${entry.specifier}](${fileOf(entry)}.md) | ${entry.description} |`,
  )
  return [
    '# Reference\n',
    'Every public name, by the package that exports it. Most programs need only `rowkey`.\n',
    '| package | |\n|---|---|',
    ...rows,
    '\nThe pages of [each name](/reference/api/index.html) have its signature, options and examples.\n',
  ].join('\n')
}

/** The public names of an entry point, in alphabetical order. */
function symbolsOf({ types }: Entry): readonly ts.Symbol[] {
  const file = program.getSourceFile(types)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error(`${types} is missing: run npm run build:types`)
  return checker
    .getExportsOfModule(module)
    .filter((symbol) => !isInternal(targetOf(symbol)))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

function pageOf(entry: Entry): string {
  const everything = symbolsOf(entry)
  // A name that rowkey exports, too, is described there, so that a search finds it once.
  const known = new Set(entry.specifier === 'rowkey' ? [] : namesOfRowkey)
  const symbols = everything.filter(({ name }) => !known.has(name))
  const repeated = everything.filter(({ name }) => known.has(name))
  const sections = KINDS.flatMap(([flags, directory, title], index) => {
    const earlier = KINDS.slice(0, index)
    const ofKind = symbols.filter((symbol) => {
      const own = flagsOf(symbol)
      return (own & flags) !== 0 && !earlier.some(([other]) => (own & other) !== 0)
    })
    if (ofKind.length === 0) return []
    return [
      `## ${title}\n`,
      ...ofKind.map((symbol) => {
        const page = `/reference/api/${directory}/${entry.module}.${fileNameOf(symbol, ofKind)}.html`
        const summary = summaryOf(targetOf(symbol))
        return `### ${symbol.name}\n\n${summary} [Signature and details](${page})\n`
      }),
    ]
  })
  return [
    '---\noutline: 2\n---\n',
    `# ${entry.specifier}\n`,
    `${entry.description}\n`,
    ...(repeated.length === 0
      ? []
      : [
          `Also exports these names of [rowkey](rowkey.md): ${repeated.map(linkToRowkey).join(', ')}.\n`,
        ]),
    ...sections,
  ].join('\n')
}

function linkToRowkey({ name }: ts.Symbol): string {
  return `[\`${name}\`](rowkey.md#${anchorOf(name)})`
}

/** What typedoc takes a symbol for: a class that is exported as a type is an interface. */
function flagsOf(symbol: ts.Symbol): ts.SymbolFlags {
  const { flags } = targetOf(symbol)
  const isType = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) ?? false
  return isType && flags & ts.SymbolFlags.Class ? ts.SymbolFlags.Interface : flags
}

/** What typedoc calls the page of a symbol: names that differ only in case get a number. */
function fileNameOf({ name }: ts.Symbol, others: readonly ts.Symbol[]): string {
  const isSecond = others.some(
    (other) => other.name > name && other.name.toLowerCase() === name.toLowerCase(),
  )
  return isSecond ? `${name}-1` : name
}

function isInternal(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags(checker).some(({ name }) => name === 'internal')
}

function targetOf(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** The first paragraph of the documentation, with links as code. */
function summaryOf(symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const [paragraph = ''] = text.split('\n\n')
  return paragraph
    .replace(
      /\{@link ([^}|]+?)(?:\s*\|\s*([^}]+))?\}/g,
      (_, name, label) => label ?? `\`${name.trim()}\``,
    )
    .replace(/(`[^`]*`)|</g, (found, code) => code ?? found.replace('<', '&lt;'))
}
