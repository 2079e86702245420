import type { EntityKey } from '@rowkey/odata'
import type { Flavour, HttpHeaders } from '@rowkey/rest'
import type { KeyRange } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { Client } from './client.ts'
import type { OperationName } from './operation-name.ts'
import type { QueryParameters } from './query-parameters.ts'

/** The account's key signed the request: everything is allowed. */
interface KeyGrant {
  readonly kind: 'key'
}

/** A shared access signature for rows of one table. */
export interface TableGrant {
  readonly kind: 'table'
  /** The table's name in lower case. */
  readonly table: string
  /** Letters of `raud`. */
  readonly permissions: string
  /** The rows that it covers. */
  readonly range: KeyRange
}

/** A shared access signature for the account. */
export interface AccountGrant {
  readonly kind: 'account'
  /** Letters of `rwdylacuptfi`, each once. */
  readonly permissions: string
  /** Letters of `sco`: the service, containers (tables), objects (rows). */
  readonly resourceTypes: string
}

/** A bearer token that the service's check accepted: everything but access policies is allowed. */
export interface BearerGrant {
  readonly kind: 'bearer'
}

/** The permissions of a request's credential. */
export type Grant = KeyGrant | TableGrant | AccountGrant | BearerGrant

/** The grant of requests signed with the account's key. */
export const KEY_GRANT: KeyGrant = { kind: 'key' }

/** The grant of requests with an accepted token. */
export const BEARER_GRANT: BearerGrant = { kind: 'bearer' }

/** The target of a path. */
export type Resource =
  | { readonly kind: 'account' }
  | { readonly kind: 'batch' }
  | { readonly kind: 'tables' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'entities'; readonly table: string }
  | { readonly kind: 'entity'; readonly table: string; readonly key: EntityKey }

const PLAIN_SEGMENT = /^([^()]+)(?:\((.*)\))?$/su
const LITERAL = `'((?:[^']|'')*)'`
const TABLE_KEY = new RegExp(`^\\s*${LITERAL}\\s*$`, 'su')
const ENTITY_KEY = new RegExp(
  `^\\s*(PartitionKey|RowKey)\\s*=\\s*${LITERAL}\\s*,\\s*(PartitionKey|RowKey)\\s*=\\s*${LITERAL}\\s*$`,
  'su',
)
const PART_OF_KEY = new RegExp(`^\\s*(?:(?:PartitionKey|RowKey)\\s*=\\s*)?${LITERAL}\\s*$`, 'su')
/** What parentheses contain; nothing but blanks when they are after the name of a set. */
const KEYS = [/^\s*$/, ENTITY_KEY, PART_OF_KEY]

/**
 * Parses the path below the account, which may end in a slash.
 *
 * @param path - percent-encoded, begins with `/`
 * @throws Rejection InvalidUri, or InvalidInput for one key instead of two
 */
export function routeResource(path: string): Resource {
  if (path === '/') return { kind: 'account' }
  const segment = path.endsWith('/') ? path.slice(1, -1) : path.slice(1)
  if (segment === '' || segment.includes('/')) throw new Rejection('InvalidUri')
  const { name, predicate } = splitSegment(segment)
  if (name === '$batch' && predicate === undefined) return { kind: 'batch' }
  return name.toLowerCase() === 'tables'
    ? routeTable(predicate)
    : routeEntity(unquote(name), predicate)
}

/** A name, and what the parentheses after it contain. */
interface Segment {
  readonly name: string
  /** Absent without parentheses. */
  readonly predicate: string | undefined
}

/**
 * Splits a segment at its parentheses. Some clients encode them. Encoded ones that do not contain a key
 * belong to the name, because a name on Cosmos DB may have any.
 */
function splitSegment(segment: string): Segment {
  const [, name, predicate] = PLAIN_SEGMENT.exec(segment) ?? []
  if (name === undefined) throw new Rejection('InvalidUri')
  if (predicate !== undefined) {
    return { name: decodeSegment(name), predicate: decodeSegment(predicate) }
  }
  const text = decodeSegment(segment)
  const [, before = '', between] = PLAIN_SEGMENT.exec(text) ?? []
  const isKey = KEYS.some((key) => between !== undefined && key.test(between))
  return isKey ? { name: before, predicate: between } : { name: text, predicate: undefined }
}

function routeTable(predicate: string | undefined): Resource {
  if (predicate === undefined || predicate.trim() === '') return { kind: 'tables' }
  const literal = TABLE_KEY.exec(predicate)?.[1]
  if (literal === undefined) throw new Rejection('InvalidUri')
  return { kind: 'table', table: unquote(literal) }
}

function routeEntity(table: string, predicate: string | undefined): Resource {
  if (predicate === undefined || predicate.trim() === '') return { kind: 'entities', table }
  const [, first, firstText, second, secondText] = ENTITY_KEY.exec(predicate) ?? []
  if (firstText === undefined || secondText === undefined || first === second) {
    if (!PART_OF_KEY.test(predicate)) throw new Rejection('InvalidUri')
    throw new Rejection('InvalidInput', {
      text: `The number of keys specified in the URI does not match number of key properties for the resource '${table}'.`,
    })
  }
  const [partitionKey, rowKey] =
    first === 'PartitionKey' ? [firstText, secondText] : [secondText, firstText]
  return {
    kind: 'entity',
    table,
    key: { partitionKey: unquote(partitionKey), rowKey: unquote(rowKey) },
  }
}

function unquote(literal: string): string {
  return literal.replaceAll("''", "'")
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Rejection('InvalidUri')
  }
}

/** A request, or a part of a batch, as an operation reads it. */
export interface ServiceRequest {
  /** The service's own id of the request, which rejections contain. */
  readonly requestId: string
  /** The service that responds; Table storage when absent. */
  readonly flavour?: Flavour | undefined
  /** The name of the account, at either location. */
  readonly account: string
  /** The client, when it may go away before the response. */
  readonly client?: Client | undefined
  /** The permissions of the request's credential. */
  readonly grant: Grant
  /** Whether the request came to the read-only secondary. */
  readonly isSecondary: boolean
  /** Scheme, host and port as the client wrote them. */
  readonly origin: string
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** The base of all addresses in the account: origin and base path. */
  readonly base: string
  /** The verb that counts: of a tunnelled request, the one in the header. */
  readonly method: string
  /** The operation; `undefined` for an unknown one. */
  readonly operation: OperationName | undefined
  /** The target of the path. */
  readonly resource: Resource
  /** The decoded query. */
  readonly query: QueryParameters
  /** By names in lower case; in a batch, the headers of the part only. */
  readonly headers: HttpHeaders
  /** Empty when absent. */
  readonly body: string
}
