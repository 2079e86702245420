import { localTableService } from '@rowkey/local'
import {
  Account,
  type BulkJournal,
  type BulkSummary,
  type JournalFile,
  type Table,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { row } from '../bulk-account.ts'

/** A small generator of numbers from 0 to 1, the same for each seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const NOW = Date.UTC(2026, 10, 22)

/** What a killed process waits for. */
const never = new Promise<never>(() => {})

/** One process: it is killed at one of its steps, and runs imports until then. */
interface Process {
  readonly table: Table<DynamicEntity>
  readonly journal: BulkJournal | JournalFile
  /** Resolves when it is killed. */
  readonly death: Promise<'killed'>
}

/** A service and a disk that outlive the processes that use them. */
class World {
  readonly #random: () => number
  readonly #local = localTableService({ now: () => NOW })
  readonly #isExact: boolean
  /** Requests of killed processes that have not arrived yet. */
  readonly #late: HttpRequest[] = []
  /** The file of the journal. */
  #file = new Uint8Array(0)
  /** How often a process was killed, and an append failed. */
  readonly fired = { kills: 0, fullDisks: 0 }

  constructor(random: () => number, isExact: boolean) {
    this.#random = random
    this.#isExact = isExact
  }

  /** Begins a process. One that is to live finds a disk that is never full, too. */
  begin(lives: boolean): Process {
    let steps = lives ? Number.POSITIVE_INFINITY : 1 + Math.floor(this.#random() * 24)
    let die = () => {}
    const death = new Promise<'killed'>((resolve) => {
      die = () => resolve('killed')
    })
    /** Takes a step; tells whether the process is killed in it. */
    const isLastStep = () => {
      if (--steps !== 0) return false
      this.fired.kills++
      die()
      return true
    }
    const deliver = this.#local.transport
    const transport: Transport = async (request, limits) => {
      if (steps <= 0) return never
      if (this.#random() < 0.3) for (const late of this.#late.splice(0)) await deliver(late)
      if (request.method === 'GET') return deliver(request, limits)
      const [isLast, fate] = [isLastStep(), this.#random()]
      if (isLast && fate < 0.3) return never
      if (isLast && fate < 0.6 && this.#isExact) {
        this.#late.push(request)
        return never
      }
      const response = await deliver(request, limits)
      await new Promise(setImmediate)
      return steps <= 0 ? never : response
    }
    /** Stores bytes, or a part of them when the process is killed or the disk is full. */
    const store = async (bytes: Uint8Array): Promise<void> => {
      if (steps <= 0) return never
      const isLast = isLastStep()
      const isFull = !isLast && !lives && this.#random() < 0.1
      const isWhole = !isLast && !isFull
      const size = isWhole ? bytes.length : Math.floor(this.#random() * (bytes.length + 1))
      this.#file = new Uint8Array([...this.#file, ...bytes.subarray(0, size)])
      if (isLast) return never
      await new Promise(setImmediate)
      if (!isFull) return
      this.fired.fullDisks++
      throw new TypeError('disk full')
    }
    const service = tableService({
      connectionString: this.#local.connectionString(),
      transport,
      retry: noRetry,
      exactWrites: this.#isExact,
      now: () => NOW,
      random: this.#random,
      sleep: () => new Promise(setImmediate),
    })
    const journal = this.#random() < 0.5 ? this.#store(store) : this.#handle(store)
    return { table: new Account(service).table('people'), journal, death }
  }

  #store(store: (bytes: Uint8Array) => Promise<void>): BulkJournal {
    return {
      read: () => new TextDecoder().decode(this.#file),
      append: (text) => store(new TextEncoder().encode(text)),
    }
  }

  /** Each call moves only some bytes. */
  #handle(store: (bytes: Uint8Array) => Promise<void>): JournalFile {
    const some = (length: number) => Math.ceil(length * this.#random())
    return {
      read: async (buffer, offset, length, position) => {
        const found = this.#file.subarray(position, position + some(length))
        buffer.set(found, offset)
        return { bytesRead: found.length }
      },
      write: async (buffer, offset, length) => {
        const bytesWritten = some(length)
        await store(buffer.subarray(offset, offset + bytesWritten))
        return { bytesWritten }
      },
      stat: async () => ({ size: this.#file.length }),
      datasync: async () => {},
    }
  }
}

const places = Array.from({ length: 24 }, (_, n) => ({ pk: `p${n % 5}`, rk: `r${n}`, n }))
const input = () => places.map(({ pk, rk, n }) => row(pk, rk, n))
const nOf = (entity: object) => Number((entity as DynamicEntity).get('n')?.value)
const hasRow = (n: number) => n % 3 === 0

/** One kind of import. */
interface Import {
  readonly isExact: boolean
  /** Stores what the import finds, before any process is killed. */
  readonly prepare?: (table: Table<DynamicEntity>) => PromiseLike<unknown>
  readonly run: (process: Process) => Promise<BulkSummary>
  /** What another client stores in a row that it finds; absent without another client. */
  readonly rival?: number
  /** The value of each row when each operation was applied once. */
  readonly expected: (n: number) => number
}

/** The kinds of imports. */
export const IMPORTS: Readonly<Record<string, Import>> = {
  'inserts of new rows': {
    isExact: false,
    run: ({ table, journal }) => table.bulk({ journal, concurrency: 3 }).insert(input()).summary(),
    expected: (n) => n,
  },
  'exact inserts that add to the rows that they find': {
    isExact: true,
    prepare: (table) =>
      table
        .bulk()
        .insert(places.filter(({ n }) => hasRow(n)).map(({ pk, rk }) => row(pk, rk, 1_000))),
    run: ({ table, journal }) =>
      table
        .bulk({
          journal,
          concurrency: 3,
          onConflict: 'modify',
          modify: (there, given) => void there.set('n', nOf(there) + nOf(given)),
        })
        .insert(input())
        .summary(),
    expected: (n) => (hasRow(n) ? 1_000 + n : n),
  },
  'exact upserts beside another client, whose later writes stay': {
    isExact: true,
    run: ({ table, journal }) =>
      table.bulk({ journal, concurrency: 3 }).insertOrReplace(input()).summary(),
    rival: -1,
    expected: () => -1,
  },
}

/** What happened in an import, and what is wrong. */
interface ImportResult {
  readonly fired: { readonly kills: number; readonly fullDisks: number }
  /** Empty when each operation was applied once, and the last run says so. */
  readonly wrong: string
}

/**
 * Runs an import, whose processes are killed between any two steps, until one lives. Each process runs again with the
 * same open journal when its disk was full.
 *
 * @param kind - the import
 * @param seed - decides everything
 */
export async function playImport(
  { isExact, prepare, run, rival, expected }: Import,
  seed: number,
): Promise<ImportResult> {
  const random = seeded(seed)
  const world = new World(random, isExact)
  const { table } = world.begin(true)
  await table.create()
  await prepare?.(table)
  const met = new Set<string>()
  let last: BulkSummary | 'killed' | undefined
  for (let processes = 1 + Math.floor(random() * 4); processes >= 0; processes--) {
    const process = world.begin(processes === 0)
    for (let runs = 0; runs < 2; runs++) {
      last = await Promise.race([process.death, run(process)])
      if (last === 'killed' || last.ending === 'complete') break
    }
    if (rival !== undefined) await overwrite(table, met, rival)
  }
  const stored = Object.fromEntries(
    (await table.query().allowTableScan().toArray()).map((each) => [each.rowKey, nOf(each)]),
  )
  const wrong = places.filter(({ rk, n }) => stored[rk] !== expected(n)).map(({ rk }) => rk)
  if (last === undefined || last === 'killed' || last.done !== places.length) {
    wrong.push(JSON.stringify(last))
  }
  return { fired: world.fired, wrong: wrong.join(' ') }
}

/** Stores a value in each row that is there and was not met before. */
async function overwrite(
  table: Table<DynamicEntity>,
  met: Set<string>,
  value: number,
): Promise<void> {
  for (const { partitionKey, rowKey } of await table.query().allowTableScan().toArray()) {
    if (met.has(rowKey)) continue
    met.add(rowKey)
    await table.insertOrReplace(row(partitionKey, rowKey, value))
  }
}
