import type { Account, Table } from '@rowkey/mapper'
import { beginsWith, DynamicEntity, EntityProperty, required } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { anAccount, aText, someBytes } from '../errors/rules.ts'
import { atPrimary, declarePattern } from '../options/pattern-options.ts'
import type { LargeValueStore } from './large-value-store.ts'

const storeOptions = declarePattern<{ readonly table: string }>({ table: required(aText) })

/** Bytes of one property, and properties of one row: together below 1 MiB. */
const CHUNK = 65_536
const CHUNKS_OF_ROW = 15
/** Rows of one value, which have five digits. */
const MAX_ROWS = 99_999
/** The most UTF-16 units of a PartitionKey. */
const LONGEST_KEY = 512
/** The row that is stored last, and deleted first. It sorts after all chunks. */
const END = 'end'

/**
 * Keeps values in rows of a table, for programs without another store. A value is one partition, with up to 960 KiB in each row.
 *
 * @param account - the account of the table
 * @param options - the name of the table, which must exist and have no other rows
 *
 * @example
 * ```ts
 * const store = chunkStore(account, { table: 'photos' })
 * ```
 */
export function chunkStore(account: Account, options: { readonly table: string }): LargeValueStore {
  checkArgument(anAccount, account, 'chunkStore')
  storeOptions.check(options, 'chunkStore')
  const { table } = options
  const rows = account.table(table)
  const { service } = account
  const isSorted = service.endpoint.flavour !== 'cosmos'
  return {
    async put(address, bytes, options = {}) {
      checkArgument(someBytes, bytes, 'A large value')
      const partitionKey = printAddress(address)
      const count = Math.max(1, Math.ceil(bytes.length / (CHUNK * CHUNKS_OF_ROW)))
      if (count > MAX_ROWS || partitionKey.length > LONGEST_KEY) throw tooLong(address)
      const end = new DynamicEntity(partitionKey, END, { Rows: count, Bytes: bytes.length })
      await service.call(options, 'put of a chunk store', async ({ options: call }) => {
        for (let at = 0; at < count; at++) {
          await rows.insert(chunkRow(partitionKey, at, bytes), call)
        }
        await rows.insert(end, call)
      })
    },
    async get(address, options = {}) {
      const partitionKey = printAddress(address)
      const bytes = await readRows(rows, partitionKey, options)
      const mode = options.locationMode ?? service.locationMode
      if (bytes !== undefined || mode === 'primaryOnly' || mode === 'secondaryOnly') return bytes
      return readRows(rows, partitionKey, atPrimary(options))
    },
    async has(address, options = {}) {
      const end = await rows.find([printAddress(address), END], atPrimary(options))
      return end !== undefined
    },
    async delete(address, options = {}) {
      await service.call(options, 'delete of a chunk store', (call) =>
        deleteRows(rows, printAddress(address), call.options),
      )
    },
    async *list(beginning, options = {}) {
      const seen = new Set<string>()
      // Any row may be left, such as a chunk that arrived late. Only keys and times are read: chunks have no property 'Rows'.
      const own = beginsWith('PartitionKey', printAddress(beginning))
      const all = rows.query().where(own).select('Rows').allowTableScan()
      for await (const { partitionKey, timestamp } of all.rows(atPrimary(options))) {
        if (seen.has(partitionKey)) continue
        // Only on Cosmos DB may the rows of a value come apart.
        if (isSorted) seen.clear()
        seen.add(partitionKey)
        const address = parseAddress(partitionKey)
        if (address?.startsWith(beginning)) yield { address, storedAt: timestamp ?? new Date(0) }
      }
    },
  }
}

/** Reads a value; `undefined` when it is not complete. */
async function readRows(
  rows: Table<DynamicEntity>,
  partitionKey: string,
  options: CallOptions,
): Promise<Uint8Array | undefined> {
  // Cosmos DB does not sort rows, and `inPartitions` does.
  const found = await rows.query().inPartitions([partitionKey]).toArray(options)
  const end = found.find(({ rowKey }) => rowKey === END)
  const bytes = join(found.filter((row) => row !== end))
  // The rows are read one page after another, and may be deleted meanwhile.
  return end?.get('Bytes')?.value === bytes.length ? bytes : undefined
}

/** The last row is deleted first, so that no reader takes the rest for the value. */
async function deleteRows(
  rows: Table<DynamicEntity>,
  partitionKey: string,
  options: CallOptions,
): Promise<void> {
  const keys = rows.query().inPartitions([partitionKey]).select('Rows')
  const all = await keys.toArray(atPrimary(options))
  for (const { rowKey } of all.toReversed()) {
    await rows.deleteIfExists([partitionKey, rowKey], { ...options, etag: '*' })
  }
}

function chunkRow(partitionKey: string, at: number, bytes: Uint8Array): DynamicEntity {
  const row = new DynamicEntity(partitionKey, printRow(at))
  const start = at * CHUNK * CHUNKS_OF_ROW
  for (let chunk = 0; chunk < CHUNKS_OF_ROW; chunk++) {
    const from = start + chunk * CHUNK
    if (from >= bytes.length) break
    row.set(printChunk(chunk), EntityProperty.binary(bytes.subarray(from, from + CHUNK)))
  }
  return row
}

function join(rows: readonly DynamicEntity[]): Uint8Array {
  const chunks = rows.flatMap((row) => {
    const names = Array.from({ length: CHUNKS_OF_ROW }, (_, chunk) => printChunk(chunk))
    return names.flatMap((name) => row.get(name)?.as('Binary') ?? [])
  })
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function printRow(at: number): string {
  return String(at).padStart(5, '0')
}

function printChunk(at: number): string {
  return `Chunk${String(at).padStart(2, '0')}`
}

/** A key must not contain a slash, and a percent sign is not safe in each service. */
function printAddress(address: string): string {
  return encodeURIComponent(address).replaceAll('%', '=')
}

/** Returns the address of a row; `undefined` for a row of another program. */
function parseAddress(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('=', '%'))
  } catch {
    return undefined
  }
}

function tooLong(address: string): Error {
  return invalidPatternOption(
    `A value in chunk rows has at most ${MAX_ROWS} rows, and its address ${LONGEST_KEY} characters as a key; ${JSON.stringify(address)} has more. Use shorter keys, or another store.`,
  )
}
