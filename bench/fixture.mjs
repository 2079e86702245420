/** The entities that every client sends and receives: 1,000, with a property of each kind. */

export const ACCOUNT = 'devstoreaccount1'
/** The emulator's public account key. */
export const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** The table of a GET selects the response: one entity, a page of 1,000, or ten of these pages. */
export const POINTS = 'points'
export const PAGE1K = 'page1k'
export const PAGE10K = 'page10k'

export const ETAG = `W/"datetime'2026-03-14T09%3A26%3A53.5897932Z'"`

function entityOf(index) {
  return {
    partitionKey: 'department-017',
    rowKey: `employee-${String(index).padStart(8, '0')}`,
    Name: `Employee number ${index}`,
    City: 'Kingston upon Hull',
    Count: index,
    Active: index % 2 === 1,
    Price: index + 0.625,
    // A whole Double: the service writes 4.0.
    Score: 4,
    // Larger than a JavaScript number can hold exactly.
    Visits: 9_007_199_254_740_993n + BigInt(index),
    Created: new Date(Date.UTC(2026, 2, 14, 9, 26, 53, index % 1000)),
    Ref: `c9da6455-213d-42c9-9a79-${index.toString(16).padStart(12, '0')}`,
    Blob: new Uint8Array(32).fill(index % 256),
  }
}

export const entities = Array.from({ length: 1000 }, (_, index) => entityOf(index))

/** A property's members in a response with minimal metadata. */
const typed = (name, type, text) => [`"${name}@odata.type":"Edm.${type}"`, `"${name}":"${text}"`]

export function membersOf(entity) {
  return [
    `"odata.etag":${JSON.stringify(ETAG)}`,
    `"PartitionKey":"${entity.partitionKey}"`,
    `"RowKey":"${entity.rowKey}"`,
    '"Timestamp":"2026-03-14T09:26:53.5897932Z"',
    `"Name":"${entity.Name}"`,
    `"City":"${entity.City}"`,
    `"Count":${entity.Count}`,
    `"Active":${entity.Active}`,
    `"Price":${entity.Price}`,
    `"Score":${entity.Score.toFixed(1)}`,
    ...typed('Visits', 'Int64', entity.Visits),
    ...typed('Created', 'DateTime', entity.Created.toISOString().replace('Z', '5897Z')),
    ...typed('Ref', 'Guid', entity.Ref),
    ...typed('Blob', 'Binary', Buffer.from(entity.Blob).toString('base64')),
  ].join(',')
}

/** One entity as in the response to a point read. */
export const entityText = (entity, base) =>
  `{"odata.metadata":"${base}/$metadata#${POINTS}/@Element",${membersOf(entity)}}`

/** A page of all 1,000 entities, as in the response to a query. */
export const pageText = (base, table) =>
  `{"odata.metadata":"${base}/$metadata#${table}","value":[${entities
    .map((entity) => `{${membersOf(entity)}}`)
    .join(',')}]}`
