import { type Flavour, type HttpHeaders, printHttpDate } from '@rowkey/rest'
import type { ServiceResponse } from './service-response.ts'

/** The request and the moment that a response belongs to. */
interface Exchange {
  /** The request's headers, by names in lower case. */
  readonly requestHeaders: HttpHeaders
  /** The request's query, percent-encoded. */
  readonly query: string
  /** The service's own id of the request. */
  readonly requestId: string
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** The kind of service; Table storage when absent. */
  readonly flavour?: Flavour | undefined
}

const SERVER = 'Rowkey-Local-Table/1.0'

/** The version of responses to requests without one. */
const DEFAULT_VERSION = '2019-02-02'

/** The version in the query, which counts when no header names one. */
const API_VERSION = /(?:^|&)api-version=(\d{4}-\d\d-\d\d)(?:&|$)/
/** The version of a shared access signature, which counts when nothing else names one. */
const SAS_VERSION = /(?:^|&)sv=(\d{4}-\d\d-\d\d)(?:&|$)/

/** A valid date since 2009, the first year with versions of this form. */
const VERSION = /^20(?:09|[1-9]\d)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const ECHOED = /^[\u0020-\u007e]{1,1024}$/

/** Tells whether a text is valid as a version of the service. */
export function isVersion(text: string): boolean {
  return VERSION.test(text)
}

/** Adds the headers that every response has. */
export function completeResponse(response: ServiceResponse, exchange: Exchange): ServiceResponse {
  if (exchange.flavour === 'cosmos') return completeCosmosResponse(response, exchange)
  const version = versionOf(exchange)
  const headers: Record<string, string> = {
    ...(response.lacksCacheControl === true ? {} : { 'cache-control': 'no-cache' }),
    server: SERVER,
    'x-content-type-options': 'nosniff',
    'x-ms-request-id': exchange.requestId,
    'x-ms-version': isVersion(version) ? version : DEFAULT_VERSION,
    date: printHttpDate(exchange.now),
  }
  const clientId = exchange.requestHeaders['x-ms-client-request-id']
  if (clientId !== undefined && ECHOED.test(clientId)) headers['x-ms-client-request-id'] = clientId
  return {
    status: response.status,
    headers: Object.assign(headers, response.headers),
    body: response.body,
  }
}

const NO_METADATA = 'application/json;odata=nometadata'

/**
 * Adds the headers that every response of Cosmos DB has. It repeats no version, and its media types have
 * neither `streaming` nor `charset`.
 */
function completeCosmosResponse(response: ServiceResponse, exchange: Exchange): ServiceResponse {
  const { dataserviceid: _, ...headers }: Readonly<Record<string, string>> = response.headers
  const accept = exchange.requestHeaders.accept
  const type = headers['content-type']?.replace(';streaming=true;charset=utf-8', '')
  // It repeats the type of a client that asks for no level of metadata.
  const isPlain = accept === 'application/json' && type === NO_METADATA
  return {
    status: response.status,
    headers: {
      server: SERVER,
      'x-ms-request-id': exchange.requestId,
      date: printHttpDate(exchange.now),
      ...headers,
      ...(type !== undefined && { 'content-type': isPlain ? accept : type }),
    },
    body: response.body,
  }
}

function versionOf({ requestHeaders, query }: Exchange): string {
  const named = requestHeaders['x-ms-version'] ?? API_VERSION.exec(query)?.[1]
  return named ?? SAS_VERSION.exec(query)?.[1] ?? ''
}
