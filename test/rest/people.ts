import { type Endpoint, endpointOf, type HttpRequest } from '@rowkey/rest'

/** An account in host style. */
export const contoso: Endpoint = endpointOf('https://contoso.table.core.windows.net')

/** An account in path style, as on an emulator. */
export const emulator: Endpoint = endpointOf('http://127.0.0.1:10002/devstoreaccount1')

/** An account of Cosmos DB. */
export const cosmos: Endpoint = endpointOf('https://contoso.table.cosmos.azure.com:443')

/** One entity of the table `people`. */
export const jeff = {
  table: 'people',
  key: { partitionKey: 'Smith', rowKey: 'Jeff' },
  body: '{"PartitionKey":"Smith","RowKey":"Jeff"}',
} as const

/** An ETag as the service makes them. */
export const etag = `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`

/** A request that reads. */
export const read: HttpRequest = {
  method: 'GET',
  origin: contoso.origin,
  path: "/people(PartitionKey='Smith',RowKey='Jeff')",
  query: '',
  headers: {},
  body: undefined,
}

/** A request that writes. */
export const write: HttpRequest = { ...read, method: 'PUT', body: jeff.body }
