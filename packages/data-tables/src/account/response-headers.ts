import type { HttpHeaders } from '../pipeline/interfaces.ts'

/** The headers of a response to a change of properties. */
export interface ServiceSetPropertiesHeaders {
  /** The client's id of the request. */
  clientRequestId?: string
  /** The service's id of the request. */
  requestId?: string
  /** The version of the service that responded. */
  version?: string
}

/** The headers of a response with properties. */
export interface ServiceGetPropertiesHeaders extends ServiceSetPropertiesHeaders {}

/** The headers of a response with statistics. */
export interface ServiceGetStatisticsHeaders extends ServiceSetPropertiesHeaders {
  /** When the service responded. */
  date?: Date
}

/** The headers of a response to a delete of a table. */
export interface TableDeleteHeaders extends ServiceGetStatisticsHeaders {}

/** The headers of a response to a delete. */
export interface TableDeleteEntityHeaders extends ServiceGetStatisticsHeaders {}

/** The headers of a response with access policies. */
export interface TableGetAccessPolicyHeaders extends ServiceGetStatisticsHeaders {}

/** The headers of a response to new access policies. */
export interface TableSetAccessPolicyHeaders extends ServiceGetStatisticsHeaders {}

/** The headers of a response to the creation of a table. */
export interface TableCreateHeaders extends ServiceGetStatisticsHeaders {
  /** Whether the response contains the table: `return-no-content`. */
  preferenceApplied?: string
}

/** The headers of a response to a replace. */
export interface TableUpdateEntityHeaders extends ServiceGetStatisticsHeaders {
  /** The version that was written. */
  etag?: string
}

/** The headers of a response to a merge. */
export interface TableMergeEntityHeaders extends TableUpdateEntityHeaders {}

/** The headers of a response to an insert. */
export interface TableInsertEntityHeaders extends TableUpdateEntityHeaders {
  /** Whether the response contains the entity: `return-no-content`, or `return-content` if a custom header asks for it. */
  preferenceApplied?: string
  /** The type of the body. */
  contentType?: string
}

/** The result of a delete. */
export type DeleteTableEntityResponse = TableDeleteEntityHeaders
/** The result of an update. */
export type UpdateEntityResponse = TableUpdateEntityHeaders
/** The result of an upsert. */
export type UpsertEntityResponse = TableMergeEntityHeaders
/** The result of an insert. */
export type CreateTableEntityResponse = TableInsertEntityHeaders
/** The result of new access policies. */
export type SetAccessPolicyResponse = TableSetAccessPolicyHeaders
/** The result of a change of properties. */
export type SetPropertiesResponse = ServiceSetPropertiesHeaders

/** The headers that results have, under their names there and in their order. */
const NAMES = {
  clientRequestId: 'x-ms-client-request-id',
  requestId: 'x-ms-request-id',
  version: 'x-ms-version',
  date: 'date',
  etag: 'etag',
  preferenceApplied: 'preference-applied',
  xMsContinuationNextPartitionKey: 'x-ms-continuation-nextpartitionkey',
  xMsContinuationNextRowKey: 'x-ms-continuation-nextrowkey',
  xMsContinuationNextTableName: 'x-ms-continuation-nexttablename',
} as const

/** The headers of a response, under their names in results. */
export type ResponseFacts = TableInsertEntityHeaders

/**
 * Reads the headers of a response.
 *
 * @param headers - the headers
 */
export function factsOf(headers: HttpHeaders): ResponseFacts {
  const found = Object.entries(NAMES)
    .map(([name, header]) => [name, headers.get(header)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, name === 'date' ? new Date(value ?? '') : value] as const)
  return Object.fromEntries(found)
}
