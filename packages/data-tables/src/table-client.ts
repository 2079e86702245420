import {
  checkTableName,
  createTableIfNotExists,
  deleteTableIfExists,
  type Endpoint,
  entityGroupTransaction,
  getEntity,
  getTableAcl,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  setTableAcl,
  type TableService,
} from '@rowkey/rest'
import { type SignedIdentifier, toIdentifiers, toPolicies } from './account/access-policies.ts'
import {
  type ClientCredential,
  fromConnectionString,
  openService,
  splitCredential,
  type TableServiceClientOptions,
  urlOf,
} from './account/open-service.ts'
import {
  asOfficial,
  factsOf,
  type OperationOptions,
  queryOptionsOf,
  type ResponseFacts,
  toCallOptions,
} from './account/operation-options.ts'
import type { TableEntity, TableEntityResult } from './entity/to-entity.ts'
import { toEntity } from './entity/to-entity.ts'
import { type PagedAsyncIterableIterator, pagedIterator, pageOf } from './paging/paged-iterator.ts'
import {
  type ActionParts,
  type ConditionOptions,
  type TransactionAction,
  toChange,
  toChanges,
  type UpdateMode,
} from './table-transaction.ts'

/** The options of reads. */
export interface GetTableEntityOptions extends OperationOptions {
  /** What to read. */
  readonly queryOptions?:
    | {
        /** The properties to read; all when absent. */
        readonly select?: readonly string[] | undefined
      }
    | undefined
  /** Whether every value comes as `{ type, value }`. */
  readonly disableTypeConversion?: boolean | undefined
}

/** The options of {@link TableClient.listEntities}. */
export interface ListTableEntitiesOptions extends OperationOptions {
  /** Which entities to read, and what of them. */
  readonly queryOptions?:
    | {
        /** The OData filter; `odata` escapes its values. */
        readonly filter?: string | undefined
        /** The properties to read; all when absent. */
        readonly select?: readonly string[] | undefined
      }
    | undefined
  /** Whether every value comes as `{ type, value }`. */
  readonly disableTypeConversion?: boolean | undefined
}

/** The options of a conditional write. */
export type UpdateTableEntityOptions = OperationOptions & ConditionOptions

/** The result of a write. */
export interface WriteResponse extends ResponseFacts {
  /** The version that was written; absent after a delete. */
  etag?: string
}

/** The result of one change of a transaction. */
export interface TableTransactionEntityResponse {
  /** The version that was written; absent after a delete. */
  etag?: string
  /** The RowKey of the entity. */
  rowKey: string
  /** 204. */
  status: number
}

/** The result of a transaction. */
export interface TableTransactionResponse {
  /** 202. */
  readonly status: number
  /** The results, in the order of the actions. */
  readonly subResponses: readonly TableTransactionEntityResponse[]
  /** Finds the result of an entity by its RowKey. */
  getResponseForEntity(rowKey: string): TableTransactionEntityResponse | undefined
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
  readonly url: string
  /** The table's name. */
  readonly tableName: string
  readonly #service: TableService

  /**
   * @param url - the account's endpoint; without a credential, with a SAS as its query
   * @param tableName - the table's name
   * @param credentialOrOptions - a key, a SAS or a token source; or the options
   * @param options - the client's options
   * @throws InputError for an invalid URL, name, credential or option
   */
  constructor(
    url: string | Endpoint,
    tableName: string,
    credentialOrOptions?: ClientCredential | TableServiceClientOptions,
    options?: TableServiceClientOptions,
  ) {
    const [credential, chosen] = splitCredential(credentialOrOptions, options)
    this.#service = openService(url, credential, chosen, 'TableClient')
    checkTableName(tableName, this.#service.endpoint.flavour)
    this.tableName = tableName
    this.url = urlOf(this.#service)
  }

  /**
   * Opens a table of the account of a connection string.
   *
   * @throws InputError for an invalid connection string, name or option
   */
  static fromConnectionString(
    connectionString: string,
    tableName: string,
    options: TableServiceClientOptions = {},
  ): TableClient {
    const { endpoint, credential } = fromConnectionString(connectionString, options, 'TableClient')
    return new TableClient(endpoint, tableName, credential, options)
  }

  /** Creates the table; a table that exists already is fine. */
  async createTable(options: OperationOptions = {}): Promise<void> {
    const call = toCallOptions(options, [], 'createTable')
    const table = { table: this.tableName }
    await asOfficial(() => perform(this.#service, createTableIfNotExists, table, call))
  }

  /** Deletes the table with all its entities; a table that does not exist is fine. */
  async deleteTable(options: OperationOptions = {}): Promise<void> {
    const call = toCallOptions(options, [], 'deleteTable')
    const table = { table: this.tableName }
    await asOfficial(() => perform(this.#service, deleteTableIfExists, table, call))
  }

  /**
   * Reads one entity.
   *
   * @throws RestError with the status 404 when it does not exist
   */
  async getEntity<T extends object = Record<string, unknown>>(
    partitionKey: string,
    rowKey: string,
    options: GetTableEntityOptions = {},
  ): Promise<TableEntityResult<T>> {
    const call = toCallOptions(options, ['queryOptions', 'disableTypeConversion'], 'getEntity')
    const { select } = queryOptionsOf(options, ['select'], 'getEntity')
    const read = { table: this.tableName, key: { partitionKey, rowKey }, select }
    const { raw, etag } = await asOfficial(() => perform(this.#service, getEntity, read, call))
    return toEntity<T>(raw, options, etag)
  }

  /**
   * Reads the entities that match a filter, all of the table without one.
   *
   * A filter without a condition on PartitionKey makes the service read the whole table.
   */
  listEntities<T extends object = Record<string, unknown>>(
    options: ListTableEntitiesOptions = {},
  ): PagedAsyncIterableIterator<TableEntityResult<T>> {
    // Each page is a call with a context of its own; the options are checked at once.
    const callOf = () =>
      toCallOptions(options, ['queryOptions', 'disableTypeConversion'], 'listEntities')
    callOf()
    const { filter, select } = queryOptionsOf(options, ['filter', 'select'], 'listEntities')
    return pagedIterator(this.tableName, async ({ maxPageSize, continuationToken }) => {
      const query = {
        table: this.tableName,
        filter,
        select,
        top: maxPageSize,
        continuation:
          continuationToken === undefined ? undefined : parseContinuationToken(continuationToken),
      }
      const { entities, continuation } = await asOfficial(() =>
        perform(this.#service, queryEntities, query, callOf()),
      )
      const page = entities.map((raw) => toEntity<T>(raw, options))
      return pageOf(page, continuation && printContinuationToken(continuation))
    })
  }

  /**
   * Inserts an entity.
   *
   * @throws RestError with the status 409 when it exists already
   */
  createEntity<T extends object>(
    entity: TableEntity<T>,
    options: OperationOptions = {},
  ): Promise<WriteResponse> {
    return this.#write(['create', entity], options, 'createEntity')
  }

  /**
   * Deletes an entity.
   *
   * @param options - `etag`: the version that must be stored; any version when absent
   * @throws RestError with the status 404 when it does not exist, 412 when it has another version
   */
  deleteEntity(
    partitionKey: string,
    rowKey: string,
    options: UpdateTableEntityOptions = {},
  ): Promise<WriteResponse> {
    return this.#write(['delete', { partitionKey, rowKey }], options, 'deleteEntity')
  }

  /**
   * Updates an entity that exists.
   *
   * @param entity - its keys and properties
   * @param mode - `'Merge'` keeps the properties that `entity` does not have; `'Replace'` removes them
   * @param options - `etag`: the version that must be stored; any version when absent
   * @throws RestError with the status 404 when it does not exist, 412 when it has another version
   */
  updateEntity<T extends object>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
    options: UpdateTableEntityOptions = {},
  ): Promise<WriteResponse> {
    return this.#write(['update', entity, mode], options, 'updateEntity')
  }

  /**
   * Writes an entity, whether it exists or not.
   *
   * @param entity - its keys and properties
   * @param mode - `'Merge'` keeps the properties that `entity` does not have; `'Replace'` removes them
   */
  upsertEntity<T extends object>(
    entity: TableEntity<T>,
    mode: UpdateMode = 'Merge',
    options: OperationOptions = {},
  ): Promise<WriteResponse> {
    return this.#write(['upsert', entity, mode], options, 'upsertEntity')
  }

  /**
   * Makes up to 100 changes of one partition: all of them, or none.
   *
   * @param actions - the changes, each of another entity
   * @throws RestError with the code of the change that failed
   */
  async submitTransaction(
    actions: readonly TransactionAction[],
    options: OperationOptions = {},
  ): Promise<TableTransactionResponse> {
    const call = toCallOptions(options, [], 'submitTransaction')
    const changes = toChanges(this.tableName, actions)
    const set = { table: this.tableName, changes }
    const results = await asOfficial(() =>
      perform(this.#service, entityGroupTransaction, set, call),
    )
    const subResponses = results.map(({ etag }, index) => ({
      ...(etag === undefined ? {} : { etag }),
      rowKey: changes[index]?.input.key.rowKey ?? '',
      status: WRITTEN,
    }))
    return {
      status: COMMITTED,
      subResponses,
      getResponseForEntity: (rowKey) => subResponses.find((one) => one.rowKey === rowKey),
    }
  }

  /** Reads the table's stored access policies. */
  async getAccessPolicy(options: OperationOptions = {}): Promise<SignedIdentifier[]> {
    const call = toCallOptions(options, [], 'getAccessPolicy')
    const table = { table: this.tableName }
    const policies = await asOfficial(() => perform(this.#service, getTableAcl, table, call))
    return toIdentifiers(policies)
  }

  /**
   * Replaces the table's stored access policies.
   *
   * @param tableAcl - at most 5; an empty list removes them all
   */
  async setAccessPolicy(
    tableAcl: readonly SignedIdentifier[],
    options: OperationOptions = {},
  ): Promise<void> {
    const call = toCallOptions(options, [], 'setAccessPolicy')
    const policies = toPolicies(tableAcl)
    const acl = { table: this.tableName, policies }
    await asOfficial(() => perform(this.#service, setTableAcl, acl, call))
  }

  async #write(
    [kind, entity, mode]: ActionParts,
    options: UpdateTableEntityOptions,
    where: string,
  ): Promise<WriteResponse> {
    const own = kind === 'update' || kind === 'delete' ? ['etag'] : []
    const call = toCallOptions(options, own, where)
    const { etag: condition } = options
    const parts: ActionParts = [kind, entity, mode, { etag: condition }]
    const { operation, input } = toChange(this.tableName, parts)
    const { etag } = await asOfficial(() => perform(this.#service, operation, input, call))
    return { ...factsOf(call.context.lastAttempt), ...(etag === undefined ? {} : { etag }) }
  }
}
