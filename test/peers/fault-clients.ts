import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables'
import {
  createTable,
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  deleteEntity,
  deleteTable,
  type EntityWrite,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  type Operation,
  perform,
  tableService,
  undiciTransport,
  updateEntity,
} from '@rowkey/rest'
import type { Write } from '../vectors/lost-responses.ts'

/** Milliseconds for one attempt: longer than anything but silence takes. */
const TIMEOUT = 1_000

/** What a call told its caller. */
export type Told = 'success' | 'failure' | 'unknown'

/** A client that performs the writes of the scenarios on the row `Smith`/`Jeff` of a table. */
export interface FaultClient {
  write(what: Write, table: string, etag: string): Promise<unknown>
  /** What an error says about the write. */
  told(error: unknown): Told
  close(): Promise<void>
}

/** Opens a client of an account at an origin. */
export type OpenClient = (origin: string) => FaultClient

const KEY = { partitionKey: 'Smith', rowKey: 'Jeff' }

/** Rowkey's operations, alone. */
export function rowkeyClient(exactWrites: boolean): OpenClient {
  return (origin) => {
    const service = tableService({
      connectionString: connectionString(origin),
      ...{ transport: undiciTransport(), timeout: TIMEOUT, sleep: async () => {}, exactWrites },
    })
    const send = <Input, Output>(operation: Operation<Input, Output>, input: Input) =>
      perform<Input, Output>(service, operation, input)
    return {
      write: (what, table, etag) => rowkeyWrite(send, what, table, etag),
      told(error) {
        const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
        return mayHaveApplied === true ? 'unknown' : 'failure'
      },
      close: () => service.close(),
    }
  }
}

type Send = <Input, Output>(operation: Operation<Input, Output>, input: Input) => Promise<unknown>

function rowkeyWrite(send: Send, what: Write, table: string, etag: string): Promise<unknown> {
  const row = rowOf(table, KEY.rowKey)
  const other = { operation: insertEntity, input: rowOf(table, 'Other') }
  const changing = (condition: string) => ({ ...row, etag: condition })
  switch (what) {
    case 'create table':
      return send(createTable, { table })
    case 'delete table':
      return send(deleteTable, { table })
    case 'get':
      return send(getEntity, row)
    case 'insert':
      return send(insertEntity, row)
    case 'insertOrReplace':
      return send(insertOrReplaceEntity, row)
    case 'insertOrMerge':
      return send(insertOrMergeEntity, row)
    case 'replace':
    case 'replace *':
      return send(updateEntity, changing(what === 'replace' ? etag : '*'))
    case 'merge':
    case 'merge *':
      return send(mergeEntity, changing(what === 'merge' ? etag : '*'))
    case 'delete':
    case 'delete *':
      return send(deleteEntity, changing(what === 'delete' ? etag : '*'))
    case 'batch of inserts': {
      const changes = [{ operation: insertEntity, input: row }, other]
      return send(entityGroupTransaction, { table, changes })
    }
    case 'batch with a merge': {
      const changes = [{ operation: mergeEntity, input: changing(etag) }, other]
      return send(entityGroupTransaction, { table, changes })
    }
  }
}

/** A row as Rowkey writes it. */
export function rowOf(table: string, rowKey: string, n = 2): EntityWrite {
  const body = JSON.stringify({ PartitionKey: KEY.partitionKey, RowKey: rowKey, n })
  return { table, key: { ...KEY, rowKey }, body }
}

/** The official client. It has no word for an unknown outcome, so each error says that the call failed. */
export const officialClient: OpenClient = (origin) => {
  const url = `${origin}/${DEVELOPMENT_ACCOUNT}`
  const credential = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
  const retryOptions = { retryDelayInMs: 1, maxRetryDelayInMs: 1 }
  const options = { allowInsecureConnection: true, retryOptions }
  return {
    write(what, table, etag) {
      if (what === 'create table' || what === 'delete table') {
        const service = new TableServiceClient(url, credential, options)
        const call = what === 'create table' ? 'createTable' : 'deleteTable'
        return service[call](table, { requestOptions: { timeout: TIMEOUT } })
      }
      return officialWrite(new TableClient(url, table, credential, options), what, etag)
    },
    told: () => 'failure',
    close: async () => {},
  }
}

function officialWrite(client: TableClient, what: Write, etag: string): Promise<unknown> {
  const row = { ...KEY, n: 2 }
  const other = { ...KEY, rowKey: 'Other', n: 2 }
  const call = { requestOptions: { timeout: TIMEOUT } }
  switch (what) {
    case 'insert':
      return client.createEntity(row, call)
    case 'insertOrReplace':
      return client.upsertEntity(row, 'Replace', call)
    case 'insertOrMerge':
      return client.upsertEntity(row, 'Merge', call)
    case 'replace':
    case 'replace *':
      return client.updateEntity(row, 'Replace', { ...call, etag: what === 'replace' ? etag : '*' })
    case 'merge':
    case 'merge *':
      return client.updateEntity(row, 'Merge', { ...call, etag: what === 'merge' ? etag : '*' })
    case 'delete':
    case 'delete *':
      return client.deleteEntity(KEY.partitionKey, KEY.rowKey, {
        ...{ ...call, etag: what === 'delete' ? etag : '*' },
      })
    case 'batch of inserts':
      return client.submitTransaction(
        [
          ['create', row],
          ['create', other],
        ],
        call,
      )
    case 'batch with a merge':
      return client.submitTransaction(
        [
          ['update', row, 'Merge', { etag }],
          ['create', other],
        ],
        call,
      )
    default:
      return client.getEntity(KEY.partitionKey, KEY.rowKey, call)
  }
}

/** The connection string of the development account at an origin. */
export function connectionString(origin: string): string {
  return [
    'DefaultEndpointsProtocol=http',
    `AccountName=${DEVELOPMENT_ACCOUNT}`,
    `AccountKey=${DEVELOPMENT_KEY}`,
    `TableEndpoint=${origin}/${DEVELOPMENT_ACCOUNT}`,
  ].join(';')
}
