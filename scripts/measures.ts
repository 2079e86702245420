/**
 * Measures how far a reader has to go: the source files that one insert and one query run, and the shape of
 * all source files. They are readings: no test and no page holds them.
 *
 * usage: npm run tool measures [-- --files], which also lists the files that run
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpResponse, Transport } from '@rowkey/rest'
import { connect, Entity, PartitionKey, Property, RowKey } from 'rowkey'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A service that returns one page of one row, and accepts every write. */
const transport: Transport = async ({ method }): Promise<HttpResponse> => {
  const headers = { 'content-type': 'application/json', etag: 'W/"1"' }
  if (method !== 'GET') return { status: 204, headers, body: '' }
  const row =
    '{"PartitionKey":"Smith","RowKey":"Jeff","points@odata.type":"Edm.Int64","points":"120"}'
  return { status: 200, headers, body: `{"value":[${row}]}` }
}

@Entity('people')
class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int64') points?: bigint
}

const credential = { name: 'contoso', key: 'c2VjcmV0' }
const endpoint = 'https://contoso.table.core.windows.net'
const customers = connect({ endpoint, credential, transport }).table(Customer)

async function insertOne(): Promise<void> {
  const jeff = Object.assign(new Customer(), { lastName: 'Smith', firstName: 'Jeff', points: 120n })
  await customers.insert(jeff)
}

async function queryOnce(): Promise<void> {
  const query = customers.query().where((c) => c.lastName.eq('Smith').and(c.points.ge(10n)))
  for await (const { points } of query) if (points !== 120n) throw new Error('read another value')
}

/** Lists the source files with a function that runs during the call. The first call compiles the model. */
async function filesRunBy(call: () => Promise<void>): Promise<readonly string[]> {
  await call()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => /packages\/\w[\w-]*\/src\/[^?]+/.exec(url)?.[0] ?? [])
    .sort()
}

interface Source {
  readonly path: string
  readonly text: string
}

/** Tells whether a file only lists the public names of its package. */
const listsNames = (path: string): boolean => /\/src\/(?:index\.ts$|entries\/)/.test(path)

function readSources(): readonly Source[] {
  return readdirSync(`${root}packages`).flatMap((name) =>
    readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `packages/${name}/src/${path}`)
      .map((path) => ({ path, text: readFileSync(root + path, 'utf8') })),
  )
}

/**
 * Maps each name that a file exports to the files of its package that import it. A public name has the list of
 * public names among them: it serves the users, too.
 */
function importersOf(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    const names = text.matchAll(
      /^export (?:abstract |async )*(?:const|function\*?|class|interface|type) (\w+)/gm,
    )
    for (const [, name] of names) importers.set(`${path} ${name}`, new Set())
  }
  for (const { path, text } of sources) {
    const imports = text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)
    for (const [, names = '', from = ''] of imports) {
      const file = normalize(`${dirname(path)}/${from}`)
      for (const part of names.split(',')) {
        const [name] = part
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        importers.get(`${file} ${name}`)?.add(listsNames(path) ? 'public' : path)
      }
    }
  }
  return importers
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0

const ran = { insert: await filesRunBy(insertOne), query: await filesRunBy(queryOnce) }
const allSources = readSources()
const sources = allSources.filter(({ path }) => !listsNames(path))
const importers = [...importersOf(allSources).values()]
const single = importers.filter((files) => files.size === 1 && !files.has('public')).length
const errorClass = /^export class \w+ extends (?:\w*Error)\b/gm

console.log(`files that one insert runs    ${ran.insert.length}`)
console.log(`files that one query runs     ${ran.query.length}`)
console.log(`source files                  ${sources.length}`)
console.log(
  `median lines of a file        ${median(sources.map(({ text }) => text.split('\n').length - 1))}`,
)
console.log(`exports of source files       ${importers.length}`)
console.log(
  `exports for one other file    ${single} (${((100 * single) / importers.length).toFixed(1)} %)`,
)
console.log(
  `error classes                 ${sources.flatMap(({ text }) => text.match(errorClass) ?? []).length}`,
)
if (process.argv.includes('--files')) {
  for (const [call, files] of Object.entries(ran)) console.log(`\n${call}\n  ${files.join('\n  ')}`)
}
