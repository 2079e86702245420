import {
  DecodeError,
  type EntityKey,
  isRawEntity,
  parseEntityJson,
  type RawEntity,
} from '@rowkey/odata'
import { redact } from '../http/redact.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { EntityRead, ReadResult } from '../request/entity-read.ts'

/** The part of an answer that JSON is read from. */
export type JsonAnswer = Pick<HttpResponse, 'headers' | 'body'>

/**
 * The JSON object in an answer's body.
 *
 * @param operation - the operation's name, for the message
 * @param answer - the answer
 * @param mayHaveApplied - whether the operation was a write, which the status says was done
 * @throws {@link DecodeError} when the body is not a JSON object, or its Content-Type is another
 */
export function readRawEntity(
  operation: string,
  answer: JsonAnswer,
  mayHaveApplied: boolean,
): RawEntity {
  const found = parse(operation, answer, mayHaveApplied)
  if (isRawEntity(found)) return found
  throw notJson(operation, answer, mayHaveApplied)
}

/**
 * The `value` of an answer that holds many.
 *
 * @param operation - the operation's name, for the message
 * @param answer - the answer
 * @throws {@link DecodeError} when the body is not an object with an array of objects, or its
 * Content-Type is not JSON
 */
export function readRawEntities(operation: string, answer: JsonAnswer): RawEntity[] {
  const { value } = readRawEntity(operation, answer, false)
  if (Array.isArray(value) && value.every(isRawEntity)) return value
  throw notJson(operation, answer, false)
}

const JSON_TYPE = /^\s*[\w.+/-]+[/+]json\s*(?:;|$)/i

/** The Content-Type, when it says that the body is no JSON. */
function otherType({ headers }: JsonAnswer): string | undefined {
  const type = headers['content-type']
  return type === undefined || type === '' || JSON_TYPE.test(type) ? undefined : type
}

function parse(operation: string, answer: JsonAnswer, mayHaveApplied: boolean): unknown {
  if (otherType(answer) !== undefined) throw notJson(operation, answer, mayHaveApplied)
  try {
    return parseEntityJson(answer.body)
  } catch (cause) {
    throw notJson(operation, answer, mayHaveApplied, cause)
  }
}

const LONGEST_TYPE = 100

function notJson(
  operation: string,
  answer: JsonAnswer,
  mayHaveApplied: boolean,
  cause?: unknown,
): DecodeError {
  const type = otherType(answer)
  const said = type === undefined ? '' : ` of the type ${redact(type).slice(0, LONGEST_TYPE)}`
  return new DecodeError({
    message: `${operation} was answered with ${answer.body.length} characters${said} that are not the JSON of the Table service. Is the endpoint right, and no proxy answering in its place?`,
    mayHaveApplied,
    cause,
  })
}

/** What is known of an entity before the answer comes. */
export interface ExpectedEntity {
  /** Its keys; absent when any entity may come. */
  readonly key?: EntityKey | undefined
  /** The projection, which may leave the keys out; all properties when absent or empty. */
  readonly select?: readonly string[] | undefined
  /** Whether the operation was a write, which the status says was done. */
  readonly mayHaveApplied: boolean
}

/**
 * Refuses JSON that is no entity, or another one than was meant: every entity has its two keys, which
 * are strings, and only a projection leaves them out.
 *
 * @param operation - the operation's name, for the message
 * @param raw - the JSON object that came
 * @param expected - what is known of the entity
 * @throws {@link DecodeError} that says what was found
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
    message: `${operation} was answered with ${wrong}. Is the endpoint right, and no proxy answering in its place?${doubt}`,
    mayHaveApplied,
  })
}

function wrongIn(
  name: 'PartitionKey' | 'RowKey',
  found: unknown,
  asked: string | undefined,
  isProjected: boolean,
): string | undefined {
  if (found === undefined && isProjected) return undefined
  if (typeof found !== 'string') {
    const what = found === undefined ? 'is missing' : `is ${kindOf(found)}, not a string`
    return `JSON that is no entity: its ${name} ${what}`
  }
  if (asked === undefined || found === asked) return undefined
  return `another entity: its ${name} is ${shown(found)} in place of ${shown(asked)}`
}

function kindOf(found: unknown): string {
  return found === null ? 'null' : `of type ${typeof found}`
}

const LONGEST_SHOWN = 200

function shown(key: string): string {
  return JSON.stringify(redact(key).slice(0, LONGEST_SHOWN))
}

/**
 * The entity in an answer.
 *
 * @param operation - the operation's name, for the message
 * @param response - an answer of 200
 * @param read - which entity was asked for, and how much of it
 * @throws {@link DecodeError} when the body is not an entity, or is another one
 */
export function toReadResult(
  operation: string,
  response: HttpResponse,
  { key, select }: EntityRead,
): ReadResult {
  const raw = readRawEntity(operation, response, false)
  checkKeys(operation, raw, { key, select, mayHaveApplied: false })
  return { raw, etag: response.headers.etag }
}
