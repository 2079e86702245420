import {
  DecodeError,
  describeKind,
  type EntityKey,
  isRawEntity,
  parseEntityJson,
  type RawEntity,
} from '@rowkey/odata'
import { redact } from '../http/redact.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { EntityRead, ReadResult } from '../request/entity-read.ts'

/** The part of a response that JSON is read from. */
type JsonResponse = Pick<HttpResponse, 'headers' | 'body'>

const JSON_TYPE = /^\s*(?:$|[\w.+/-]+[/+]json\s*(?:;|$))/i

/** Tells whether the Content-Type is JSON, or absent. */
function isJson({ headers }: JsonResponse): boolean {
  return JSON_TYPE.test(headers['content-type'] ?? '')
}

/**
 * Reads the JSON object in a response's body.
 *
 * @param operation - the operation's name, for the message
 * @param response - the response
 * @param mayHaveApplied - whether the operation was a write, which the status reports as done
 * @throws {@link DecodeError} when the body is not a JSON object, or has another Content-Type
 */
export function readRawEntity(
  operation: string,
  response: JsonResponse,
  mayHaveApplied: boolean,
): RawEntity {
  const found = parse(operation, response, mayHaveApplied)
  if (isRawEntity(found)) return found
  throw notJson(operation, response, mayHaveApplied)
}

/**
 * Reads the `value` of a response with several entities.
 *
 * @param operation - the operation's name, for the message
 * @param response - the response
 * @throws {@link DecodeError} when the body is not an object with an array of objects, or has another
 * Content-Type
 */
export function readRawEntities(operation: string, response: JsonResponse): RawEntity[] {
  const { value } = readRawEntity(operation, response, false)
  if (Array.isArray(value) && value.every(isRawEntity)) return value
  throw notJson(operation, response, false)
}

/**
 * Reads the entity in a response to a read.
 *
 * @param operation - the operation's name, for the message
 * @param response - a response of 200
 * @param read - the input of the read
 * @throws {@link DecodeError} when the body is not an entity, or is another entity
 */
export function toReadResult(
  operation: string,
  response: HttpResponse,
  { key, select }: EntityRead,
): ReadResult {
  const raw = readRawEntity(operation, response, false)
  checkKeys(operation, raw, { key, select, mayHaveApplied: false })
  return { raw, etag: response.headers.etag, status: response.status }
}

/**
 * Rejects a table without its name.
 *
 * @param operation - the name of the operation, for the message
 * @param table - a table in a response
 */
export function tableNameIn(operation: string, { TableName }: RawEntity): string {
  if (typeof TableName === 'string') return TableName
  throw new DecodeError({
    message: `${operation}: the response contains a table without TableName. ${ADVICE}`,
    mayHaveApplied: false,
  })
}

function parse(operation: string, response: JsonResponse, mayHaveApplied: boolean): unknown {
  if (!isJson(response)) throw notJson(operation, response, mayHaveApplied)
  try {
    return parseEntityJson(response.body)
  } catch (cause) {
    throw notJson(operation, response, mayHaveApplied, cause)
  }
}

const LONGEST_TYPE = 100
const ADVICE = 'Check the endpoint, and any proxy in between.'

function notJson(
  operation: string,
  response: JsonResponse,
  mayHaveApplied: boolean,
  cause?: unknown,
): DecodeError {
  const { 'content-type': type = '' } = response.headers
  const shown = isJson(response) ? '' : ` of the type ${redact(type).slice(0, LONGEST_TYPE)}`
  return new DecodeError({
    message: `${operation}: the response contains ${response.body.length} characters${shown} that are not JSON of the Table service. ${ADVICE}`,
    mayHaveApplied,
    cause,
  })
}

/** The known parts of an entity before the response arrives. */
export interface ExpectedEntity {
  /** Its keys; absent when any entity may come. */
  readonly key?: EntityKey | undefined
  /** The projection, which may leave out the keys; all properties when absent or empty. */
  readonly select?: readonly string[] | undefined
  /** Whether the operation was a write, which the status reports as done. */
  readonly mayHaveApplied: boolean
}

/**
 * Rejects JSON that is not an entity, or is another entity: every entity has two keys, which are
 * strings, and only a projection leaves them out.
 *
 * @param operation - the operation's name, for the message
 * @param raw - the JSON object of the response
 * @param expected - what is known of the entity
 * @throws {@link DecodeError} with what was found
 */
export function checkKeys(operation: string, raw: RawEntity, expected: ExpectedEntity): void {
  const { key, select, mayHaveApplied } = expected
  const isProjected = select !== undefined && select.length > 0
  const wrong =
    wrongIn('PartitionKey', raw.PartitionKey, key?.partitionKey, isProjected) ??
    wrongIn('RowKey', raw.RowKey, key?.rowKey, isProjected)
  if (wrong === undefined) return
  const doubt = mayHaveApplied ? ' The write may have been applied.' : ''
  throw new DecodeError({
    message: `${operation}: the response contains ${wrong}. ${ADVICE}${doubt}`,
    mayHaveApplied,
  })
}

function wrongIn(
  name: 'PartitionKey' | 'RowKey',
  found: unknown,
  expected: string | undefined,
  isProjected: boolean,
): string | undefined {
  if (found === undefined && isProjected) return undefined
  if (typeof found !== 'string') {
    const what = found === undefined ? 'missing' : `${describeKind(found)}, not a string`
    return `JSON that is not an entity: its ${name} is ${what}`
  }
  if (expected === undefined || found === expected) return undefined
  return `another entity: its ${name} is ${shown(found)} instead of ${shown(expected)}`
}

const LONGEST_SHOWN = 200

function shown(key: string): string {
  return JSON.stringify(redact(key).slice(0, LONGEST_SHOWN))
}
