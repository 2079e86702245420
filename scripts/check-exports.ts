/**
 * Checks every package as a user installs it: publint and attw on its packed files, one `import`, one
 * `require`, and a bundle for browsers where it supports them. Also checks that an error of the ESM
 * copy is recognised by the CommonJS copy.
 */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const tools = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url))

interface Check {
  readonly title: string
  readonly folder: string
  readonly command: string
  readonly args: readonly string[]
}

const nodeOf = (type: 'module' | 'commonjs', program: string) => ({
  command: process.execPath,
  args: [`--input-type=${type}`, '-e', program],
})

/** Fails unless the package exports at least one name. */
const names = (load: string) => `if (Object.keys(${load}).length === 0) process.exit(1)`

/**
 * Fails when the bundle needs Node: a bundler for browsers cannot resolve a `node:` module. It reads no
 * tsconfig, because the workspace's own leads to the sources.
 */
const bundle = (specifier: string) => `
  const contents = "export * from '${specifier}'"
  const stdin = { contents, resolveDir: process.cwd() }
  const options = { stdin, bundle: true, platform: 'browser', format: 'esm', write: false, tsconfigRaw: '{}' }
  await (await import('esbuild')).build(options)
`

/** Fails when the types of a program would need those of undici, which are 44 files. */
const WITHOUT_UNDICI = `
  const types = require('node:fs').readFileSync('dist/index.d.cts', 'utf8')
  if (/from ['"]undici/.test(types)) process.exit(1)
`

/** Fails when a name is not defined in a program that a bundler puts into one file. */
const inOneFile = (specifier: string): string => `
  const names = Object.keys(await import(process.cwd() + '/dist/index.mjs'))
  const list = names.join(', ')
  const contents = "import { " + list + " } from '${specifier}'; for (const [name, value] of Object.entries({ " + list + " })) if (value === undefined) throw new Error(name + ' is not defined')"
  const stdin = { contents, resolveDir: process.cwd() }
  const options = { stdin, bundle: true, platform: 'node', format: 'cjs', write: false, tsconfigRaw: '{}', logLevel: 'error', external: ['classic-level'] }
  const { outputFiles: [{ text }] } = await (await import('esbuild')).build(options)
  const { runInThisContext } = await import('node:vm')
  const { createRequire } = await import('node:module')
  const module = { exports: {} }
  runInThisContext('(function (require, module, exports) {' + text + '})')(createRequire(process.cwd() + '/'), module, module.exports)
`

/** Fails when the handlers are not those of the msw that an ES module, or a CommonJS one, imports. */
const mswTypes = (extension: 'mts' | 'cts'): string => `
  const { createCompilerHost, createProgram, flattenDiagnosticMessageText, getPreEmitDiagnostics } = require('typescript')
  const options = { module: 199, strict: true, skipLibCheck: true, noEmit: true, types: ['node'] } // NodeNext
  const file = process.cwd() + '/msw-types.${extension}'
  const program = "import { localTableService } from '@rowkey/local'; import { tableHandlers } from '@rowkey/local/msw'; import { setupServer } from 'msw/node'; setupServer(...tableHandlers(localTableService()))"
  // The file is in no folder: other checks read them at the same time.
  const host = createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? program : readFile(name))
  const [first] = getPreEmitDiagnostics(createProgram([file], options, host))
  if (first !== undefined) throw new Error(flattenDiagnosticMessageText(first.messageText, ' '))
`

/** Fails when the `User-Agent` of the build lacks its version. */
const NAMED_VERSION = `
  const { fetchTableService } = require('@rowkey/rest')
  const { version } = require(process.cwd() + '/package.json')
  const service = fetchTableService({ connectionString: 'UseDevelopmentStorage=true' })
  if (!service.userAgent.startsWith('rowkey/' + version + ' ')) process.exit(1)
`

/** Fails when a source or declaration map names a source that is not published, so that debuggers and editors cannot show it. */
const SOURCES = `
  const { existsSync, readdirSync, readFileSync } = require('node:fs')
  const { join, resolve } = require('node:path')
  const { files } = require(process.cwd() + '/package.json')
  const maps = readdirSync('dist', { recursive: true }).filter((path) => path.endsWith('.map'))
  if (!files.includes('src') || !maps.some((path) => path.endsWith('.d.cts.map'))) process.exit(1)
  for (const path of maps) {
    for (const source of JSON.parse(readFileSync(join('dist', path), 'utf8')).sources) {
      const file = resolve('dist', path, '..', source)
      if (!existsSync(file)) throw new Error(path + ' names ' + file)
      if (!file.startsWith(resolve('src')) && !/node_modules/.test(file)) throw new Error(path + ' names ' + file)
    }
  }
`

/** Checks of an entry point beside the index. */
function entryChecks(specifier: string): readonly Omit<Check, 'folder'>[] {
  return [
    { title: `import ${specifier}`, ...nodeOf('module', names(`await import('${specifier}')`)) },
    { title: `require ${specifier}`, ...nodeOf('commonjs', names(`require('${specifier}')`)) },
  ]
}

/** Checks of the other entry points and commands of a package. */
const EXTRAS: Readonly<Record<string, readonly Omit<Check, 'folder'>[]>> = {
  ...Object.fromEntries(
    ['odata', 'query', 'patterns'].map((name) => [
      name,
      [{ title: 'one file', ...nodeOf('module', inOneFile(`@rowkey/${name}`)) }],
    ]),
  ),
  mapper: [
    { title: 'one file', ...nodeOf('module', inOneFile('@rowkey/mapper')) },
    ...entryChecks('@rowkey/mapper/other-clients'),
  ],
  rest: [
    { title: 'types without undici', ...nodeOf('commonjs', WITHOUT_UNDICI) },
    { title: 'version in the User-Agent', ...nodeOf('commonjs', NAMED_VERSION) },
    { title: 'one file', ...nodeOf('module', inOneFile('@rowkey/rest')) },
    ...entryChecks('@rowkey/rest/testing'),
  ],
  local: [
    ...entryChecks('@rowkey/local/msw'),
    { title: 'import types of msw', ...nodeOf('commonjs', mswTypes('mts')) },
    { title: 'require types of msw', ...nodeOf('commonjs', mswTypes('cts')) },
  ],
  cli: [{ title: 'command', command: process.execPath, args: ['dist/command.mjs', '--help'] }],
  rowkey: [
    { title: 'one file', ...nodeOf('module', inOneFile('rowkey')) },
    { title: 'command', command: process.execPath, args: ['dist/command.mjs', '--help'] },
    ...['encryption', 'other-clients', 'testing', 'vite'].flatMap((entry) =>
      entryChecks(`rowkey/${entry}`),
    ),
  ],
}

/** Packages that need Node: a command, and the library whose place one takes. */
const NODE_ONLY: readonly string[] = ['azure-entities', 'cli', 'studio']

const ATTW_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  // A module of the package itself, which exists twice; programs do not import it.
  rowkey: ['--exclude-entrypoints', './platform/targets/load-embedded'],
}

function checksOf(name: string): readonly Check[] {
  const folder = `${packages}${name}`
  const specifier = name === 'rowkey' ? name : `@rowkey/${name}`
  const browser = { title: 'browser', folder, ...nodeOf('module', bundle(specifier)) }
  return [
    ...(NODE_ONLY.includes(name) ? [] : [browser]),
    { title: 'publint', folder, command: `${tools}publint`, args: ['--strict'] },
    {
      title: 'attw',
      folder,
      command: `${tools}attw`,
      args: ['--pack', '.', ...(ATTW_OPTIONS[name] ?? [])],
    },
    { title: 'sources', folder, ...nodeOf('commonjs', SOURCES) },
    { title: 'import', folder, ...nodeOf('module', names(`await import('${specifier}')`)) },
    { title: 'require', folder, ...nodeOf('commonjs', names(`require('${specifier}')`)) },
    ...(EXTRAS[name] ?? []).map((extra) => ({ ...extra, folder })),
  ]
}

const TWO_COPIES = `
  import { createRequire } from 'node:module'
  import { connect } from 'rowkey'
  const { isRowkeyError } = createRequire(process.cwd() + '/package.json')('rowkey')
  try {
    connect('neither a word nor a connection string')
  } catch (error) {
    process.exit(isRowkeyError(error) ? 0 : 1)
  }
  process.exit(1)
`

/** Runs a check and prints its output only when it fails. */
async function passes({ title, folder, command, args }: Check): Promise<boolean> {
  try {
    await promisify(execFile)(command, args, { cwd: folder })
    return true
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    console.error(`${folder}: ${title} failed\n${stdout}${stderr}`)
    return false
  }
}

async function checkPackage(name: string): Promise<boolean> {
  let good = true
  for (const check of checksOf(name)) good = (await passes(check)) && good
  if (good) console.log(`${name}: publint, attw, import and require agree`)
  return good
}

const results = await Promise.all(readdirSync(packages).map(checkPackage))
const twoCopies = await passes({
  title: 'two copies',
  folder: `${packages}rowkey`,
  ...nodeOf('module', TWO_COPIES),
})
if (twoCopies) console.log('the CommonJS copy recognises an error of the ESM copy')
process.exitCode = [...results, twoCopies].every(Boolean) ? 0 : 1
