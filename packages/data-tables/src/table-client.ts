import type { RawEntity } from '@rowkey/odata'
import {
  type Endpoint,
  entityGroupTransaction,
  getEntity,
  getTableAcl,
  queryEntities,
  setTableAcl,
} from '@rowkey/rest'
import {
  type GetAccessPolicyResponse,
  type SignedIdentifier,
  toIdentifiers,
  toPolicies,
} from './account/access-policies.ts'
import type { TableServiceClientOptions } from './account/client-options.ts'
import type { ClientCredential } from './account/credentials.ts'
import { fromConnectionString, type OpenClient, openClient, urlOf } from './account/open-client.ts'
import { type OperationOptions, queryOptionsOf } from './account/operation-options.ts'
import type {
  CreateTableEntityResponse,
  DeleteTableEntityResponse,
  ResponseFacts,
  SetAccessPolicyResponse,
  UpdateEntityResponse,
  UpsertEntityResponse,
} from './account/response-headers.ts'
import { type Reply, send } from './account/send.ts'
import { createdTable, deletedTable } from './account/table-calls.ts'
import { wireNames } from './entity/property-names.ts'
import { readEntity } from './entity/read-entity.ts'
import type {
  GetTableEntityResponse,
  TableEntity,
  TableEntityQueryOptions,
  TableEntityResult,
  TableEntityResultPage,
} from './entity/table-entity.ts'
import { parseEntityToken, printEntityToken } from './paging/continuation.ts'
import { type PagedAsyncIterableIterator, pagedIterator } from './paging/paged-iterator.ts'
import type { Pipeline } from './pipeline/interfaces.ts'
import {
  type ActionParts,
  type DeleteTableEntityOptions,
  type TransactionAction,
  toChange,
  toChanges,
  type UpdateMode,
  type UpdateTableEntityOptions,
} from './table-transaction.ts'

/** The options of {@link TableClient.getEntity}. */
export type GetTableEntityOptions = OperationOptions & {
  /** What to read. */
  queryOptions?: TableEntityQueryOptions
  /** Whether every value comes as `{ type, value }`. */
  disableTypeConversion?: boolean
}

/** The options of {@link TableClient.listEntities}. */
export type ListTableEntitiesOptions = OperationOptions & {
  /** Which entities to read, and what of them. */
  queryOptions?: TableEntityQueryOptions
  /** Whether every value comes as `{ type, value }`. */
  disableTypeConversion?: boolean
}

/** The result of one change of a transaction. */
export interface TableTransactionEntityResponse {
  /** The version that was written; absent after a delete. */
  etag?: string
  /** The RowKey of the entity. */
  rowKey?: string
  /** 204. */
  status: number
}

/** The result of a transaction. */
export interface TableTransactionResponse {
  /** The results, in the order of the actions. */
  subResponses: TableTransactionEntityResponse[]
  /** 202. */
  status: number
  /** Finds the result of an entity by its RowKey. */
  getResponseForEntity: (rowKey: string) => TableTransactionEntityResponse | undefined
}

const COMMITTED = 202
const WRITTEN = 204

/**
 * A client of one table, with the methods of the official client's class. A program moves by changing its
 * import; docs/migrating.md lists what behaves differently.
 *
 * @example
 * ```ts
 * const client = TableClient.fromConnectionString('UseDevelopmentStorage=true', 'people')
 * await client.createTable()
 * await client.createEntity({ partitionKey: 'Smith', rowKey: 'Ann', age: 30 })
 * const ann = await client.getEntity('Smith', 'Ann')
 * ```
 */
export class TableClient {
  /** The URL of the account. */
  url: string
  /** The caller's policies. */
  pipeline: Pipeline
  /** The table's name. */
  readonly tableName: string
  readonly #client: OpenClient

  /**
   * @param url - the account's endpoint
   * @param tableName - the table's name
   * @param credential - a key, a SAS or a token source
   * @param options - the client's options
   * @throws InputError for an invalid URL, credential or option
   */
  constructor(
    url: string | Endpoint,
    tableName: string,
    credential: ClientCredential,
    options?: TableServiceClientOptions,
  )
  /**
   * @param url - the account's endpoint, with a SAS as its query, or for requests without a signature
   * @param tableName - the table's name
   * @param options - the client's options
   * @throws InputError for an invalid URL or option
   */
  constructor(url: string | Endpoint, tableName: string, options?: TableServiceClientOptions)
  constructor(
    url: string | Endpoint,
    tableName: string,
    credentialOrOptions?: ClientCredential | TableServiceClientOptions,
    options?: TableServiceClientOptions,
  ) {
    this.#client = openClient(url, credentialOrOptions, options, 'TableClient')
    this.pipeline = this.#client.pipeline
    this.tableName = tableName
    this.url = typeof url === 'string' ? url : urlOf(url)
  }

  /**
   * Opens a table of the account of a connection string.
   *
   * @throws InputError for an invalid connection string or option
   */
  static fromConnectionString(
    connectionString: string,
    tableName: string,
    options: TableServiceClientOptions = {},
  ): TableClient {
    const address = fromConnectionString(connectionString, options, 'TableClient')
    const client = new TableClient(address.endpoint, tableName, address.credential, options)
    client.url = address.url
    return client
  }

  /** Deletes the table with all its entities; a table that does not exist is fine. */
  deleteTable(options: OperationOptions = {}): Promise<void> {
    return deletedTable(this.#client, this.tableName, options)
  }

  /** Creates the table; a table that exists already is fine. */
  createTable(options: OperationOptions = {}): Promise<void> {
    return createdTable(this.#client, this.tableName, options)
  }

  /**
   * Reads one entity.
   *
   * @throws RestError with the status 404 when it does not exist, or does not match `queryOptions.filter`
   */
  async getEntity<T extends object = Record<string, unknown>>(
    partitionKey: string,
    rowKey: string,
    options: GetTableEntityOptions = {},
  ): Promise<GetTableEntityResponse<TableEntityResult<T>>> {
    const where = 'getEntity'
    const given = options ?? {} // programs in JavaScript say null for none
    const { filter, select } = queryOptionsOf(given, where)
    const input = {
      table: this.tableName,
      key: { partitionKey, rowKey },
      select: wireNames(select),
    }
    const operation = filter ? matching(filter) : getEntity
    return send(this.#client, { operation, input, where }, given, ({ output }) =>
      readEntity<TableEntityResult<T>>(output.raw, given, output.etag),
    )
  }

  /**
   * Reads the entities that match a filter, all of the table without one.
   *
   * A filter without a condition on PartitionKey makes the service read the whole table.
   */
  listEntities<T extends object = Record<string, unknown>>(
    options: ListTableEntitiesOptions = {},
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>> {
    const where = 'listEntities'
    const { filter, select, top } = queryOptionsOf(options, where)
    return pagedIterator(this.tableName, ({ maxPageSize = top, continuationToken }) => {
      const input = {
        table: this.tableName,
        filter,
        select: wireNames(select),
        top: maxPageSize,
        continuation:
          continuationToken === undefined ? undefined : parseEntityToken(continuationToken),
      }
      const sending = { operation: queryEntities, input, where }
      return send(this.#client, sending, options, ({ output: { entities, continuation } }) => {
        const page: TableEntityResultPage<T> = entities.map((raw) => readEntity<T>(raw, options))
        return withToken(page, printEntityToken(continuation))
      })
    })
  }

  /**
   * Inserts an entity.
   *
   * @throws RestError with the status 409 when it exists
   */
  createEntity<T extends object>(
    entity: TableEntity<T>,
    options: OperationOptions = {},
  ): Promise<CreateTableEntityResponse> {
    return this.#write(['create', entity], options, 'createEntity', createdOf)
  }

  /**
   * Deletes an entity; `etag` makes the delete conditional.
   *
   * @throws RestError with the status 404 when it does not exist, and 412 when it has another version
   */
  deleteEntity(
    partitionKey: string,
    rowKey: string,
    options: DeleteTableEntityOptions = {},
  ): Promise<DeleteTableEntityResponse> {
    const action: ActionParts = ['delete', { partitionKey, rowKey }, undefined, options]
    return this.#write(action, options, 'deleteEntity', ({ facts }) => facts)
  }

  /**
   * Updates an entity that exists; `etag` makes the update conditional.
   *
   * @param entity - the entity
   * @param mode - `'Merge'` keeps the properties that it does not name
   * @throws RestError with the status 404 when it does not exist, and 412 when it has another version
   */
  updateEntity<T extends object>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
    options: UpdateTableEntityOptions = {},
  ): Promise<UpdateEntityResponse> {
    return this.#write(['update', entity, mode, options], options, 'updateEntity', writtenOf)
  }

  /**
   * Writes an entity, whether it exists or not.
   *
   * @param entity - the entity
   * @param mode - `'Merge'` keeps the stored properties that it does not name
   */
  upsertEntity<T extends object>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
    options: OperationOptions = {},
  ): Promise<UpsertEntityResponse> {
    return this.#write(['upsert', entity, mode], options, 'upsertEntity', writtenOf)
  }

  /** Reads the table's stored access policies. */
  getAccessPolicy(options: OperationOptions = {}): Promise<GetAccessPolicyResponse> {
    const input = { table: this.tableName }
    const sending = { operation: getTableAcl, input, where: 'getAccessPolicy' }
    return send(this.#client, sending, options, ({ output, facts }) =>
      Object.assign(toIdentifiers(output), facts),
    )
  }

  /**
   * Replaces the table's stored access policies.
   *
   * @param tableAcl - at most 5; an empty list removes them all
   */
  async setAccessPolicy(
    tableAcl: SignedIdentifier[],
    options: OperationOptions = {},
  ): Promise<SetAccessPolicyResponse> {
    const input = { table: this.tableName, policies: toPolicies(tableAcl) }
    const sending = { operation: setTableAcl, input, where: 'setAccessPolicy' }
    return send(this.#client, sending, options, ({ facts }) => facts)
  }

  /**
   * Makes up to 100 changes of one partition: all of them, or none.
   *
   * @param actions - the changes, each of another entity
   * @throws RestError with the code of the change that failed
   */
  async submitTransaction(
    actions: TransactionAction[],
    options: OperationOptions = {},
  ): Promise<TableTransactionResponse> {
    const changes = toChanges(this.tableName, actions)
    const input = { table: this.tableName, changes }
    const sending = { operation: entityGroupTransaction, input, where: 'submitTransaction' }
    return send(this.#client, sending, options, ({ output }) => {
      const subResponses = output.map((result, index) => ({
        status: result.status ?? WRITTEN,
        rowKey: changes[index]?.input.key.rowKey ?? '',
        ...etagOf(result),
      }))
      return {
        status: COMMITTED,
        subResponses,
        getResponseForEntity: (rowKey) => subResponses.find((one) => one.rowKey === rowKey),
      }
    })
  }

  async #write<Result>(
    action: ActionParts,
    options: OperationOptions,
    where: string,
    toResult: (reply: Reply<WriteOutput>) => Result,
  ): Promise<Result> {
    const { operation, input } = toChange(this.tableName, action)
    return send(this.#client, { operation, input, where }, options, toResult)
  }
}

/** Get Entity with a `$filter`: an entity that does not match it is missing. */
function matching(filter: string): typeof getEntity {
  return {
    ...getEntity,
    toRequest(input, endpoint) {
      const request = getEntity.toRequest(input, endpoint)
      const parts = [`$filter=${encodeURIComponent(filter)}`, request.query]
      return { ...request, query: parts.filter(Boolean).join('&') }
    },
  }
}

interface WriteOutput {
  readonly etag?: string | undefined
}

function writtenOf({ facts, output }: Reply<WriteOutput>): ResponseFacts {
  return { ...facts, ...etagOf(output) }
}

function etagOf({ etag }: WriteOutput): { etag?: string } {
  return etag === undefined ? {} : { etag }
}

/** A custom header may have asked for the entity; then the result has its members. */
function createdOf(reply: Reply<WriteOutput>): CreateTableEntityResponse {
  const { headers, bodyAsText } = reply.response
  const contentType = headers.get('content-type')
  const entity: RawEntity = bodyAsText ? JSON.parse(bodyAsText) : {}
  return { ...writtenOf(reply), ...(contentType === undefined ? {} : { contentType }), ...entity }
}

function withToken<Page extends { continuationToken?: string }>(
  page: Page,
  continuationToken: string | undefined,
): Page {
  return continuationToken === undefined ? page : Object.assign(page, { continuationToken })
}
