import {
  createTableIfNotExists,
  deleteTableIfExists,
  type Endpoint,
  getServiceProperties,
  getServiceStats,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryTables,
  setServiceProperties,
  type TableService,
} from '@rowkey/rest'
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
  type OperationOptions,
  queryOptionsOf,
  toCallOptions,
} from './account/operation-options.ts'
import { fromRowkey, type ServiceProperties, toRowkey } from './account/service-properties.ts'
import { type PagedAsyncIterableIterator, pagedIterator, pageOf } from './paging/paged-iterator.ts'

/** A table of a list. */
export interface TableItem {
  /** Its name. */
  name: string
}

/** The options of {@link TableServiceClient.listTables}. */
export interface ListTableItemsOptions extends OperationOptions {
  /** Which tables to list: a filter over `TableName`. */
  readonly queryOptions?:
    | {
        /** The OData filter; `odata` escapes its values. */
        readonly filter?: string | undefined
      }
    | undefined
}

/** The state of the account's copy in a second region. */
export interface GetStatisticsResponse {
  /** The state, and up to when the copy is complete. */
  geoReplication: {
    /** `live`, `bootstrap` or `unavailable`. */
    status: string
    /** Every write before this time is there. */
    lastSyncTime?: Date
  }
}

/**
 * A client of an account's tables, with the methods of the official client's class.
 *
 * @example
 * ```ts
 * const service = TableServiceClient.fromConnectionString('UseDevelopmentStorage=true')
 * await service.createTable('people')
 * for await (const { name } of service.listTables()) console.log(name)
 * ```
 */
export class TableServiceClient {
  /** The URL of the account. */
  readonly url: string
  readonly #service: TableService

  /**
   * @param url - the account's endpoint; without a credential, with a SAS as its query
   * @param credentialOrOptions - a key, a SAS or a token source; or the options
   * @param options - the client's options
   * @throws InputError for an invalid URL, credential or option
   */
  constructor(
    url: string | Endpoint,
    credentialOrOptions?: ClientCredential | TableServiceClientOptions,
    options?: TableServiceClientOptions,
  ) {
    const [credential, chosen] = splitCredential(credentialOrOptions, options)
    this.#service = openService(url, credential, chosen, 'TableServiceClient')
    this.url = urlOf(this.#service)
  }

  /**
   * Opens the account of a connection string.
   *
   * @throws InputError for an invalid connection string or option
   */
  static fromConnectionString(
    connectionString: string,
    options: TableServiceClientOptions = {},
  ): TableServiceClient {
    const { endpoint, credential } = fromConnectionString(
      connectionString,
      options,
      'TableServiceClient',
    )
    return new TableServiceClient(endpoint, credential, options)
  }

  /** Creates a table; a table that exists already is fine. */
  async createTable(name: string, options: OperationOptions = {}): Promise<void> {
    const call = toCallOptions(options, [], 'createTable')
    await asOfficial(() => perform(this.#service, createTableIfNotExists, { table: name }, call))
  }

  /** Deletes a table with all its entities; a table that does not exist is fine. */
  async deleteTable(name: string, options: OperationOptions = {}): Promise<void> {
    const call = toCallOptions(options, [], 'deleteTable')
    await asOfficial(() => perform(this.#service, deleteTableIfExists, { table: name }, call))
  }

  /** Lists the account's tables. */
  listTables(options: ListTableItemsOptions = {}): PagedAsyncIterableIterator<TableItem> {
    const callOf = () => toCallOptions(options, ['queryOptions'], 'listTables')
    callOf()
    const { filter } = queryOptionsOf(options, ['filter'], 'listTables')
    return pagedIterator('Tables', async ({ maxPageSize, continuationToken }) => {
      const continuation =
        continuationToken === undefined ? undefined : parseContinuationToken(continuationToken)
      const query = { filter, top: maxPageSize, continuation }
      const page = await asOfficial(() => perform(this.#service, queryTables, query, callOf()))
      const items = page.tables.map((name) => ({ name }))
      return pageOf(items, page.continuation && printContinuationToken(page.continuation))
    })
  }

  /** Reads the properties of the account's table service. */
  async getProperties(options: OperationOptions = {}): Promise<ServiceProperties> {
    const call = toCallOptions(options, [], 'getProperties')
    return fromRowkey(
      await asOfficial(() => perform(this.#service, getServiceProperties, {}, call)),
    )
  }

  /** Changes the properties of the account's table service; absent ones stay as they are. */
  async setProperties(
    properties: ServiceProperties,
    options: OperationOptions = {},
  ): Promise<void> {
    const call = toCallOptions(options, [], 'setProperties')
    const changed = toRowkey(properties)
    await asOfficial(() => perform(this.#service, setServiceProperties, changed, call))
  }

  /**
   * Reads the replication status of the second region; it sends the request to the secondary by
   * itself.
   */
  async getStatistics(options: OperationOptions = {}): Promise<GetStatisticsResponse> {
    const call = toCallOptions(options, [], 'getStatistics')
    const statistics = await asOfficial(() => perform(this.#service, getServiceStats, {}, call))
    const { status, lastSyncTime } = statistics
    return { geoReplication: { status, ...(lastSyncTime === undefined ? {} : { lastSyncTime }) } }
  }
}
