/**
 * What Rowkey weighs beside @azure/data-tables: what is installed, what a bundler makes of it, and what a
 * program costs until its first response. Rowkey is installed from tarballs of what is built.
 *
 *   npm run build && npm --prefix bench run footprint      # prints the table
 *   npm --prefix bench run footprint -- --record           # and puts it into the README
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
import { machine, median, recordTable, row } from './report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['odata', 'rest', 'query', 'mapper', 'local', 'rowkey']
const DATA_TABLES = '@azure/data-tables@13.3.2'
const RUNS = 15
/** Above these the check fails: as ratios or sizes, never as times. */
const LIMITS = {
  packages: 12,
  megabytes: 8,
  browserGzip: 64_000,
  nodeGzip: 150_000,
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
  const browser = await Promise.all(sides.map((folder) => bundle(folder, 'browser')))
  const node = await Promise.all(sides.map((folder) => bundle(folder, 'node')))
  const overFetch = await bundle(rowkey, 'node', 'rowkey-fetch')
  const files = await Promise.all(sides.map(toOneFile))
  const [unbundled, oneFile] = await costs(sides, files)
  const table = [
    row(['', 'rowkey', '@azure/data-tables', 'ratio']),
    row(['---', '--:', '--:', '--:']),
    line('packages installed', sides.map(packagesIn), String),
    line('files installed, MB', sides.map(bytesIn), (bytes) => (bytes / 1e6).toFixed(1)),
    line(
      'browser bundle, min kB',
      browser.map(({ minified }) => minified),
      kilobytes,
    ),
    line(
      'browser bundle, gzip kB',
      browser.map(({ gzip }) => gzip),
      kilobytes,
    ),
    line(
      'Node bundle, min kB',
      node.map(({ minified }) => minified),
      kilobytes,
    ),
    line(
      'Node bundle, gzip kB',
      node.map(({ gzip }) => gzip),
      kilobytes,
    ),
    line('Node bundle over `fetch`, min kB', [overFetch.minified, node[1].minified], kilobytes),
    line('Node bundle over `fetch`, gzip kB', [overFetch.gzip, node[1].gzip], kilobytes),
    line('one CommonJS file with everything, min kB', files.map(sizeOf), kilobytes),
    line('CPU to the first response, ms over bare Node', unbundled, (ms) => ms.toFixed(0)),
    line('the same, from the one file', oneFile, (ms) => ms.toFixed(0)),
  ].join('\n')
  const note =
    `Bundles: esbuild, \`connect\` and one class, without chunks that are loaded on demand: the ` +
    `code that runs queries and sends writes, the XML reader, and what few programs call (browser ${kilobytes(browser[0].lazy)} kB, Node ${kilobytes(node[0].lazy)} kB minified). ` +
    `CPU: median of ${RUNS} runs that alternate.`
  const text = `${machine()}\n\n${table}\n\n${note}`
  console.log(text)
  if (options.record) recordTable('footprint', text)
  if (options.check) check({ rowkey, browser: browser[0], node: node[0] })
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(0)
}

function check({ rowkey, browser, node }) {
  const found = {
    packages: packagesIn(rowkey),
    megabytes: bytesIn(rowkey) / 1e6,
    browserGzip: browser.gzip,
    nodeGzip: node.gzip,
  }
  const over = Object.entries(found).filter(([name, value]) => value > LIMITS[name])
  for (const [name, value] of over) console.error(`${name}: ${value}, at most ${LIMITS[name]}`)
  if (over.length > 0) process.exitCode = 1
}

function line(title, [ours, theirs], print) {
  return row([title, print(ours), print(theirs), (ours / theirs).toFixed(2)])
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

/** The size of what a program for Azure loads. */
async function bundle(folder, platform, program = basename(folder)) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [`${program}.mjs`],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform,
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
    external: ['classic-level'],
  })
  const { outputs } = metafile
  // Chunks that are loaded on demand have entry points, too.
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === `${program}.mjs`)
  const needed = reached(outputs, entry, ({ kind }) => kind === 'import-statement')
  // The bundler also writes chunks that nothing imports.
  const possible = reached(outputs, entry, () => true)
  const sizes = { minified: 0, gzip: 0, lazy: 0 }
  for (const { path, contents } of outputFiles) {
    const isIn = (paths) => [...paths].some((output) => path.endsWith(output))
    if (isIn(needed)) {
      sizes.minified += contents.length
      sizes.gzip += gzipSync(contents, { level: 9 }).length
    } else if (isIn(possible)) {
      sizes.lazy += contents.length
    }
  }
  return sizes
}

/** The output files that a program reaches by some of its imports. */
function reached(outputs, entry, follows) {
  const paths = new Set([entry])
  for (const path of paths) {
    for (const next of outputs[path].imports) {
      if (outputs[next.path] && follows(next)) paths.add(next.path)
    }
  }
  return paths
}

function sizeOf(file) {
  return lstatSync(file).size
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
    const [nothing, ...rest] = samples.map(median)
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
  await build({
    stdin: { contents, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile,
    external: ['classic-level'],
    logLevel: 'error',
  })
  return outfile
}

async function costOf(program, connection) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, connection], {
    timeout: 30_000,
  })
  const { value, milliseconds } = JSON.parse(stdout)
  if (value !== undefined && value !== 7) throw new Error(`${program} read ${value}`)
  return milliseconds
}
