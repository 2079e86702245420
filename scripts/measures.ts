/**
 * Measures how far a reader has to go: the source files and functions that each kind of call runs, the frames below its first
 * request, and the shape of all source files. They are readings: no test and no page holds them.
 *
 * usage: npm run tool measures [-- --files], which also lists the files and the frames
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  Entity,
  key,
  PartitionKey,
  Property,
  RowKey,
  union,
} from '@rowkey/mapper'
import { type HttpResponse, type Transport, TransportError, tableService } from '@rowkey/rest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../', import.meta.url))

@Entity('people')
class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int64') points?: bigint
}

const OrderV1 = defineEntity({
  name: 'orders',
  partitionKey: key`${'customer'}`,
  rowKey: key`order_${'number:6'}`,
  schema: z.object({ customer: z.string(), number: z.int(), sum: z.number() }),
})
const OrderV2 = defineEntity({
  name: 'orders',
  partitionKey: key`${'customer'}`,
  rowKey: key`order_${'number:6'}`,
  schema: z.object({ customer: z.string(), number: z.int(), sum: z.number(), paid: z.boolean() }),
  version: 2,
  previous: OrderV1,
  migrate: (order) => ({ ...order, paid: false }),
})
const Note = defineEntity({
  name: 'notes',
  partitionKey: key`${'customer'}`,
  rowKey: key`note_${'number:6'}`,
  schema: z.object({ customer: z.string(), number: z.int(), text: z.string() }),
})

/** A service whose responses can be played again, so that only the client runs then. */
class Network {
  readonly #service: Transport
  #responses: (HttpResponse | undefined)[] = []
  #mode: 'pass' | 'record' | 'lose one' | 'play' = 'pass'
  /** The stack of the first request that is played. */
  stack: readonly string[] | undefined

  /** @param service - gives the responses */
  constructor(service: Transport) {
    this.#service = service
  }

  /** Passes requests on. */
  pass(): void {
    this.#mode = 'pass'
  }

  /** Records responses; when `loses` is set, the first one does not arrive. */
  record(loses: boolean): void {
    this.#responses = []
    this.#mode = loses ? 'lose one' : 'record'
  }

  /** Plays the recorded responses. */
  play(): void {
    this.stack = undefined
    this.#mode = 'play'
  }

  readonly transport: Transport = async (request, limits) => {
    if (this.#mode === 'play') {
      this.stack ??= (new Error('now').stack ?? '').split('\n').slice(2)
      return this.#responses.shift() ?? lost()
    }
    const response = await this.#service(request, limits)
    if (this.#mode === 'pass') return response
    const isLost = this.#mode === 'lose one'
    this.#mode = 'record'
    this.#responses.push(isLost ? undefined : response)
    return isLost ? lost() : response
  }
}

function lost(): never {
  throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
}

const local = localTableService()
const network = new Network(local.transport)
const account = new Account(
  tableService({
    connectionString: local.connectionString(),
    transport: network.transport,
    sleep: async () => {},
  }),
)
const customers = account.table(Customer)
const orders = account.table(OrderV2)
const store = account.table('store', union(OrderV2, Note))
for (const table of [customers, orders, store]) await table.create()

const customer = (firstName: string, points = 120n): Customer =>
  Object.assign(new Customer(), { lastName: 'Smith', firstName, points })

async function storedCustomer(firstName: string): Promise<Customer> {
  await customers.insertOrReplace(customer(firstName))
  return customers.get(['Smith', firstName])
}

/** A kind of call: prepares the rows and the objects, and returns the call. */
type Flow = () => Promise<() => Promise<unknown>>

const flows: Readonly<Record<string, Flow>> = {
  insert: async () => {
    await customers.deleteIfExists(['Smith', 'insert'], { etag: '*' })
    return () => customers.insert(customer('insert'))
  },
  'merge of a read object': async () => {
    const read = await storedCustomer('merge')
    read.points = 121n
    return () => customers.merge(read)
  },
  modify: async () => {
    await storedCustomer('modify')
    return () =>
      customers.modify(['Smith', 'modify'], (read) => {
        read.points = 121n
      })
  },
  'query of a partition': async () => {
    await storedCustomer('query')
    const query = customers.query().where((c) => c.lastName.eq('Smith').and(c.points.ge(10n)))
    return () => query.toArray()
  },
  'insert in a union': async () => {
    const note = { customer: 'Smith', number: 1, text: 'Call back.' }
    await store.deleteIfExists(['Smith', 'note_000001'], { etag: '*' })
    return () => store.insert(note)
  },
  'read of an older version': async () => {
    await account.table(OrderV1).insertOrReplace({ customer: 'Smith', number: 7, sum: 3.5 })
    return () => orders.get({ customer: 'Smith', number: 7 })
  },
  'batch of 2': async () => {
    const [one, other] = [await storedCustomer('b1'), await storedCustomer('b2')]
    return () => customers.batch().replace(one).replace(other).submit()
  },
  'batch of 2, first response lost': async () => {
    for (const name of ['l1', 'l2']) await customers.deleteIfExists(['Smith', name], { etag: '*' })
    return () => customers.batch().insert(customer('l1')).insert(customer('l2')).submit()
  },
  'bulk upsert of 3': async () => {
    const all = ['u1', 'u2', 'u3'].map((name) => customer(name))
    return () => customers.bulk().insertOrReplace(all).summary()
  },
}

/** What one call runs. */
interface Reading {
  readonly files: readonly string[]
  readonly functions: number
  /** The frames of the packages below the first request, the innermost first. */
  readonly frames: readonly string[]
}

const sourceIn = (text: string): string[] =>
  /packages\/\w[\w-]*\/src\/[^?:]+/.exec(text)?.slice() ?? []

/** Measures the second call, by the responses to the first one, which has compiled the model. */
async function readingOf(name: string, flow: Flow): Promise<Reading> {
  network.pass()
  const first = await flow()
  network.record(name.endsWith('lost'))
  await first()
  network.pass()
  const call = await flow()
  network.play()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const ran = result
    .flatMap(({ url, functions }) => {
      const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length
      return sourceIn(url).map((path) => ({ path, called }))
    })
    .filter(({ called }) => called > 0)
  return {
    files: ran.map(({ path }) => path).sort(),
    functions: ran.reduce((sum, { called }) => sum + called, 0),
    frames: (network.stack ?? []).filter((frame) => sourceIn(frame).length > 0),
  }
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

Error.stackTraceLimit = Number.POSITIVE_INFINITY
const readings: [string, Reading][] = []
for (const [name, flow] of Object.entries(flows)) readings.push([name, await readingOf(name, flow)])
const allSources = readSources()
const sources = allSources.filter(({ path }) => !listsNames(path))
const importers = [...importersOf(allSources).values()]
const single = importers.filter((files) => files.size === 1 && !files.has('public')).length
const errorClass = /^export class \w+ extends (?:\w*Error)\b/gm
const lines = sources.map(({ text }) => text.split('\n').length - 1)

console.log('one call                          files  functions  frames  in rest')
for (const [name, { files, functions, frames }] of readings) {
  const inRest = frames.filter((frame) => frame.includes('packages/rest/')).length
  const numbers = [
    [files.length, 7],
    [functions, 11],
    [frames.length, 8],
    [inRest, 9],
  ] as const
  console.log(name.padEnd(32) + numbers.map(([n, width]) => String(n).padStart(width)).join(''))
}
console.log(`\nsource files                  ${sources.length}`)
console.log(`median lines of a file        ${median(lines)}`)
console.log(`exports of source files       ${importers.length}`)
console.log(
  `exports for one other file    ${single} (${((100 * single) / importers.length).toFixed(1)} %)`,
)
console.log(
  `error classes                 ${sources.flatMap(({ text }) => text.match(errorClass) ?? []).length}`,
)
if (process.argv.includes('--files')) {
  for (const [name, { files, frames }] of readings) {
    console.log(`\n${name}\n  ${[...files, ...frames.map((frame) => frame.trim())].join('\n  ')}`)
  }
}
