import {
  type Endpoint,
  getServiceProperties,
  getServiceStats,
  queryTables,
  setServiceProperties,
} from '@rowkey/rest'
import type { TableServiceClientOptions } from './account/client-options.ts'
import type { ClientCredential } from './account/credentials.ts'
import { fromConnectionString, type OpenClient, openClient, urlOf } from './account/open-client.ts'
import {
  type OperationOptions,
  queryOptionsOf,
  type SetPropertiesOptions,
} from './account/operation-options.ts'
import type { SetPropertiesResponse } from './account/response-headers.ts'
import { send } from './account/send.ts'
import {
  fromRowkey,
  type GetPropertiesResponse,
  type GetStatisticsResponse,
  type ServiceProperties,
  statisticsOf,
  toRowkey,
} from './account/service-properties.ts'
import { createdTable, deletedTable } from './account/table-calls.ts'
import { parseTableToken, printTableToken } from './paging/continuation.ts'
import { type PagedAsyncIterableIterator, pagedIterator } from './paging/paged-iterator.ts'
import type { Pipeline } from './pipeline/interfaces.ts'

/** A table of a list. */
export interface TableItem {
  /** Its name. */
  name?: string
}

/** The tables of a response. */
export interface TableQueryResponse {
  /** The tables. */
  value?: TableItem[]
}

/** A page of tables. */
export interface TableItemResultPage extends Array<TableItem> {
  /** Where the next page begins; absent on the last page. */
  continuationToken?: string
}

/** Which tables to list. */
export interface TableQueryOptions {
  /** The OData filter over `TableName`; `odata` escapes its values. */
  filter?: string
}

/** The options of {@link TableServiceClient.listTables}. */
export type ListTableItemsOptions = OperationOptions & {
  /** Which tables to list. */
  queryOptions?: TableQueryOptions
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
  url: string
  /** The caller's policies. */
  pipeline: Pipeline
  readonly #client: OpenClient

  /**
   * @param url - the account's endpoint
   * @param credential - a key, a SAS or a token source
   * @param options - the client's options
   * @throws InputError for an invalid URL, credential or option
   */
  constructor(
    url: string | Endpoint,
    credential: ClientCredential,
    options?: TableServiceClientOptions,
  )
  /**
   * @param url - the account's endpoint, with a SAS as its query, or for requests without a signature
   * @param options - the client's options
   * @throws InputError for an invalid URL or option
   */
  constructor(url: string | Endpoint, options?: TableServiceClientOptions)
  constructor(
    url: string | Endpoint,
    credentialOrOptions?: ClientCredential | TableServiceClientOptions,
    options?: TableServiceClientOptions,
  ) {
    this.#client = openClient(url, credentialOrOptions, options, 'TableServiceClient')
    this.pipeline = this.#client.pipeline
    this.url = typeof url === 'string' ? url : urlOf(url)
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
    const address = fromConnectionString(connectionString, options, 'TableServiceClient')
    const client = new TableServiceClient(address.endpoint, address.credential, options)
    client.url = address.url
    return client
  }

  /**
   * Reads the replication status of the second region; it sends the request to the secondary by
   * itself.
   */
  getStatistics(options: OperationOptions = {}): Promise<GetStatisticsResponse> {
    const sending = { operation: getServiceStats, input: {}, where: 'getStatistics' }
    return send(this.#client, sending, options, ({ output, facts }) => ({
      ...facts,
      ...statisticsOf(output),
    }))
  }

  /** Reads the properties of the account's table service. */
  getProperties(options: OperationOptions = {}): Promise<GetPropertiesResponse> {
    const sending = { operation: getServiceProperties, input: {}, where: 'getProperties' }
    return send(this.#client, sending, options, ({ output, facts }) => ({
      ...facts,
      ...fromRowkey(output),
    }))
  }

  /** Changes the properties of the account's table service; absent ones stay as they are. */
  async setProperties(
    properties: ServiceProperties,
    options: SetPropertiesOptions = {},
  ): Promise<SetPropertiesResponse> {
    const input = toRowkey(properties)
    const sending = { operation: setServiceProperties, input, where: 'setProperties' }
    return send(this.#client, sending, options, ({ facts }) => facts)
  }

  /** Creates a table; a table that exists already is fine. */
  createTable(name: string, options: OperationOptions = {}): Promise<void> {
    return createdTable(this.#client, name, options)
  }

  /** Deletes a table with all its entities; a table that does not exist is fine. */
  deleteTable(name: string, options: OperationOptions = {}): Promise<void> {
    return deletedTable(this.#client, name, options)
  }

  /** Lists the account's tables. */
  listTables(
    options: ListTableItemsOptions = {},
  ): PagedAsyncIterableIterator<TableItem, TableItemResultPage> {
    const where = 'listTables'
    const { filter, top } = queryOptionsOf(options, where)
    return pagedIterator('Tables', ({ maxPageSize = top, continuationToken }) => {
      const continuation =
        continuationToken === undefined ? undefined : parseTableToken(continuationToken)
      const input = { filter, top: maxPageSize, continuation }
      const sending = { operation: queryTables, input, where }
      return send(this.#client, sending, options, ({ output }) => {
        const page: TableItemResultPage = output.tables.map((name) => ({ name }))
        const token = printTableToken(output.continuation)
        return token === undefined ? page : Object.assign(page, { continuationToken: token })
      })
    })
  }
}
