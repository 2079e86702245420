import type { EntityKey } from '@rowkey/odata'
import {
  createTableIfNotExists,
  deleteEntity,
  deleteTable,
  type EntitiesPage,
  type EntitiesQuery,
  EntityNotFoundError,
  getEntity,
  insertEntity,
  insertOrReplaceEntity,
  mergeEntity,
  type Operation,
  perform,
  queryEntities,
  ServiceError,
  type TableService,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'
import type { Row } from '../types/base-type.ts'

/** A row and the ETag of its version. */
export interface StoredRow {
  /** The row as its JSON has it. */
  readonly row: Row
  /** The ETag. */
  readonly etag: string
}

/** Sends the calls of one table. Errors of the service have `code` and `statusCode`. */
export interface TableClient {
  /** The name of the table. */
  readonly table: string
  /** Creates the table unless it exists. */
  createTable(): Promise<void>
  /** Deletes the table. */
  deleteTable(): Promise<void>
  /** Stores a new row. */
  insert(row: Row): Promise<WriteResult>
  /** Stores a row in place of any other with its keys. */
  put(row: Row): Promise<WriteResult>
  /** Replaces a row that still has the ETag, and returns its new one. */
  replace(row: Row, etag: string): Promise<string>
  /** Merges properties into a row that still has the ETag, and returns its new one. */
  merge(row: Row, etag: string): Promise<string>
  /** Deletes a row that still has the ETag. */
  delete(key: EntityKey, etag: string): Promise<void>
  /** Reads a row. */
  get(key: EntityKey): Promise<StoredRow>
  /** Reads a page of a query. */
  page(query: Omit<EntitiesQuery, 'table'>): Promise<EntitiesPage>
}

/** Receives how often calls are made and how long they take. */
export interface Monitor {
  /**
   * Receives the duration of a call.
   *
   * @param name - such as `getEntity.success`
   * @param value - milliseconds
   */
  measure(name: string, value: number): void
  /**
   * Receives that a call was made.
   *
   * @param name - such as `getEntity.error`
   */
  count(name: string): void
}

/** Reports some calls for debugging. */
export interface TimingReport {
  /** Tells whether to report a call that took so many milliseconds. */
  includes(duration: number): boolean
  /** Receives the name of a call, its table and its duration. */
  debug(message: string): void
}

/** The parts of a {@link TableClient}. */
interface TableClientOptions {
  /** Where to send and as whom. */
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  /** Receives how often calls are made and how long they take. */
  readonly monitor?: Monitor | undefined
  /** Which calls are reported for debugging. */
  readonly timing: TimingReport
}

/** Makes the client of a table. */
export function tableClient(options: TableClientOptions): TableClient {
  const { table } = options
  const send = senderOf(options)
  const write = async (name: string, operation: RowWrite, row: Row, etag?: string) => {
    const body = JSON.stringify(row)
    return send(name, operation, { table, key: keyOf(row), body, etag })
  }
  return {
    table,
    async createTable() {
      await send('createTable', createTableIfNotExists, { table })
    },
    async deleteTable() {
      await send('deleteTable', deleteTable, { table })
    },
    insert: (row) => write('insertEntity', insertEntity, row),
    put: (row) => write('updateEntity', insertOrReplaceEntity, row),
    replace: async (row, etag) => etagOf(await write('updateEntity', updateEntity, row, etag)),
    merge: async (row, etag) => etagOf(await write('updateEntity', mergeEntity, row, etag)),
    async delete(key, etag) {
      await send('deleteEntity', deleteEntity, { table, key, body: '', etag })
    },
    async get(key) {
      const { raw, etag } = await send('getEntity', getEntity, { table, key })
      return storedRow(raw, etag)
    },
    page: (query) => send('queryEntities', queryEntities, { table, ...query }),
  }
}

type RowWrite = typeof insertEntity

const etagOf = ({ etag }: WriteResult): string => etag ?? ''

/** Performs an operation under the name that the monitor receives. */
type Send = <Input, Output>(
  name: string,
  operation: Operation<Input, Output>,
  input: Input,
) => Promise<Awaited<Output>>

function senderOf(options: TableClientOptions): Send {
  const { service } = options
  return async <Input, Output>(
    name: string,
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<Awaited<Output>> => {
    const start = service.now()
    try {
      const output = await perform(service, operation, input)
      // createTable returns false when the table exists, which that library counts as an error.
      report(options, name, output === false ? 'error' : 'success', service.now() - start)
      return output
    } catch (error) {
      report(options, name, 'error', service.now() - start)
      throw withStatusCode(error)
    }
  }
}

function report(
  { table, monitor, timing }: TableClientOptions,
  name: string,
  result: 'success' | 'error',
  duration: number,
): void {
  if (timing.includes(duration)) {
    attempt(() => timing.debug(`TIMING: ${name} on ${table} took ${duration} milliseconds.`))
  }
  // An error of the monitor must not hide the result of the call.
  attempt(() => monitor?.measure(`${name}.${result}`, duration))
  attempt(() => monitor?.count(`${name}.${result}`))
}

function attempt(report: () => void): void {
  try {
    report()
  } catch {
    // The call has succeeded or failed already.
  }
}

/** Pairs a row with its ETag, which is in the row or in a header. */
export const storedRow = (row: Row, etag?: string): StoredRow => ({
  row,
  etag: String(row['odata.etag'] ?? etag ?? ''),
})

/** Returns the key of a row. */
export const keyOf = (row: Row): EntityKey => ({
  partitionKey: String(row.PartitionKey),
  rowKey: String(row.RowKey),
})

/** Adds the name that programs of that library read the HTTP status by. */
function withStatusCode(error: unknown): unknown {
  return error instanceof ServiceError ? Object.assign(error, { statusCode: error.status }) : error
}

/** Resolves to `undefined` when the row is missing and that is fine. */
export async function unlessMissing<Result>(
  result: Promise<Result>,
  ignoreIfNotExists: boolean,
): Promise<Result | undefined> {
  try {
    return await result
  } catch (error) {
    if (ignoreIfNotExists && error instanceof EntityNotFoundError) return undefined
    throw error
  }
}
