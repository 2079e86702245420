/**
 * What Rowkey weighs beside @azure/data-tables: what is installed, what a page fetches until it has connected, inserted, read,
 * queried and seen an error, and what a program costs until its first response. Rowkey is installed from tarballs of what is
 * built.
 *
 *   npm run build && npm --prefix bench run footprint      # prints the table
 *   npm --prefix bench run record:footprint                # and puts it into the README
 *   npm --prefix bench run footprint -- --check            # and fails above the limits
 */
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { machine, recordTable, row } from './report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['odata', 'rest', 'query', 'mapper', 'local', 'rowkey']
const DATA_TABLES = '@azure/data-tables@13.3.2'
const RUNS = 41
/** Above these the check fails: as ratios or sizes, never as times. */
const LIMITS = {
  packages: 12,
  megabytes: 8,
  'files of a page': 2,
  'gzip bytes of a page': 110_000,
  'gzip bytes of a page over @rowkey/rest': 40_000,
  'CPU of the start, unbundled, to that of @azure/data-tables': 0.5,
  'CPU of the start, as one CommonJS file, to that of @azure/data-tables': 1,
}

/** The parts of the one file, by where their sources are; all others are the client's own code. */
const PARTS = {
  'undici, for busy programs': /node_modules\/undici\//,
  'XML, for operations of the account':
    /parse-xml|node_modules\/(?:fast-xml-|is-unsafe|path-expression-matcher|@nodable|strnum|anynum|xml-naming)/,
  'the embedded service, for tests': /@rowkey\/local\/|packages\/local\//,
}

const { values: options } = parseArgs({
  options: { record: { type: 'boolean' }, check: { type: 'boolean' } },
})
const place = mkdtempSync(join(tmpdir(), 'rowkey-footprint-'))
try {
  await main()
} finally {
  rmSync(place, { recursive: true, force: true })
}

async function main() {
  const rowkey = install('rowkey', packed())
  const dataTables = install('data-tables', [DATA_TABLES])
  const sides = [rowkey, dataTables]
  const pages = await Promise.all(sides.map((folder) => page(folder, `${basename(folder)}-page`)))
  const rest = await page(rowkey, 'rest-page')
  const files = await Promise.all(sides.map(toOneFile))
  const [unbundled, oneFile] = await costs(
    sides,
    files.map(({ path }) => path),
  )
  const table = [
    row(['', 'rowkey', '@azure/data-tables', 'ratio']),
    row(['---', '--:', '--:', '--:']),
    line('packages installed', sides.map(packagesIn), String),
    line('files installed, MB', sides.map(bytesIn), (bytes) => (bytes / 1e6).toFixed(1)),
    line('files that a page fetches', pages.map(countOf), String),
    line('the same, min kB', pages.map(minifiedOf), kilobytes),
    line('the same, gzip kB', pages.map(gzipOf), kilobytes),
    line('a page over `@rowkey/rest`, gzip kB', [rest, pages[1]].map(gzipOf), kilobytes),
    line('one CommonJS file with everything, min kB', files.map(sizeOf), kilobytes),
    ...partLines(files),
    line('CPU to the first response, ms over bare Node', unbundled, (ms) => ms.toFixed(0)),
    line('the same, from the one file', oneFile, (ms) => ms.toFixed(0)),
  ].join('\n')
  const note =
    'A page connects, inserts, reads, queries and sees an error; esbuild bundles it with code splitting, and every file counts that is ' +
    `fetched until then. CPU: the lower quartile of ${RUNS} runs that alternate.`
  const text = `${machine()}\n\n${table}\n\n${note}`
  console.log(text)
  if (options.record) recordTable('record:footprint', text)
  if (!options.check) return
  check([
    packagesIn(rowkey),
    bytesIn(rowkey) / 1e6,
    pages[0].files,
    pages[0].gzip,
    rest.gzip,
    unbundled[0] / unbundled[1],
    oneFile[0] / oneFile[1],
  ])
}

function countOf({ files }) {
  return files
}

function minifiedOf({ minified }) {
  return minified
}

function gzipOf({ gzip }) {
  return gzip
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(0)
}

/** Compares what was found with the limits, in their order. */
function check(found) {
  for (const [index, [name, most]] of Object.entries(LIMITS).entries()) {
    if (found[index] <= most) continue
    console.error(`${name}: ${found[index]}, at most ${most}`)
    process.exitCode = 1
  }
}

function line(title, [ours, theirs], print) {
  return row([title, print(ours), print(theirs), theirs === 0 ? '' : (ours / theirs).toFixed(2)])
}

function packed() {
  const folder = join(place, 'tarballs')
  mkdirSync(folder)
  for (const name of PACKAGES) {
    npm(['pack', '--silent', '--pack-destination', folder], join(root, 'packages', name))
  }
  return readdirSync(folder).map((file) => join(folder, file))
}

/** Installs into an empty project, beside the program that uses it. */
function install(name, packages) {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  npm(['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder)
  cpSync(join(root, 'bench/footprint'), folder, { recursive: true })
  const program = `import { report } from './main.mjs'\nimport { first } from './${name}.mjs'\nawait report(first)\n`
  writeFileSync(join(folder, 'program.mjs'), program)
  return folder
}

function npm(args, cwd) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
}

function packagesIn(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.keys(lock.packages).filter((path) => path !== '').length
}

function bytesIn(folder) {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0)
}

/** The size of what a page fetches: its own file, and all that its static imports lead to. */
async function page(folder, program) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [`${program}.mjs`],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const { outputs } = metafile
  const fetched = new Set(
    Object.keys(outputs).filter((path) => outputs[path].entryPoint === `${program}.mjs`),
  )
  for (const path of fetched) {
    for (const next of outputs[path].imports) {
      if (outputs[next.path] && next.kind === 'import-statement') fetched.add(next.path)
    }
  }
  const contents = outputFiles
    .filter(({ path }) => [...fetched].some((output) => path.endsWith(output)))
    .map((file) => file.contents)
  const sum = (size) => contents.reduce((bytes, each) => bytes + size(each), 0)
  return {
    files: contents.length,
    minified: sum(({ length }) => length),
    gzip: sum((each) => gzipSync(each, { level: 9 }).length),
  }
}

function sizeOf({ path }) {
  return lstatSync(path).size
}

function partLines(files) {
  const others = 'the client, and what it needs'
  const names = [...Object.keys(PARTS), others]
  const nameOf = (path) => Object.keys(PARTS).find((name) => PARTS[name].test(path)) ?? others
  const sizes = files.map(({ inputs }) => {
    const bytes = Object.fromEntries(names.map((name) => [name, 0]))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      bytes[nameOf(path)] += bytesInOutput
    return bytes
  })
  return names.map((name) =>
    line(
      `of it ${name}`,
      sizes.map((bytes) => bytes[name]),
      kilobytes,
    ),
  )
}

/** CPU milliseconds over a process that does nothing: unbundled, and as one CommonJS file. */
async function costs(folders, files) {
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json;odata=minimalmetadata')
    response.setHeader('etag', `W/"datetime'2026-11-22T00%3A00%3A00.0000000Z'"`)
    response.end('{"PartitionKey":"p","RowKey":"r","value":7}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${server.address().port}/devstoreaccount1`
  const connection = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=bm90IGEgcmVhbCBrZXk=;TableEndpoint=${endpoint};`
  try {
    const bare = join(place, 'bare.mjs')
    writeFileSync(
      bare,
      `const { user, system } = process.cpuUsage()\nconsole.log(JSON.stringify({ milliseconds: (user + system) / 1000 }))\n`,
    )
    const programs = [bare, ...folders.map((folder) => join(folder, 'program.mjs')), ...files]
    const samples = programs.map(() => [])
    for (let run = 0; run < RUNS; run++) {
      for (const [index, program] of programs.entries()) {
        samples[index].push(await costOf(program, connection))
      }
    }
    const [nothing, ...rest] = samples.map(lowerQuartile)
    const over = rest.map((milliseconds) => milliseconds - nothing)
    return [over.slice(0, 2), over.slice(2)]
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function toOneFile(folder) {
  const outfile = join(folder, 'program.cjs')
  const contents = `import { report } from './main.mjs'\nimport { first } from './${basename(folder)}.mjs'\nreport(first)\n`
  const { metafile } = await build({
    stdin: { contents, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile,
    external: ['classic-level'],
    metafile: true,
    logLevel: 'error',
  })
  const [{ inputs }] = Object.values(metafile.outputs)
  return { path: outfile, inputs }
}

/** Other programs of the machine only add to what a run costs, so its low values say more than its median. */
function lowerQuartile(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)]
}

async function costOf(program, connection) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, connection], {
    timeout: 30_000,
  })
  const { value, milliseconds } = JSON.parse(stdout)
  if (value !== undefined && value !== 7) throw new Error(`${program} read ${value}`)
  return milliseconds
}
