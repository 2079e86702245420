import { DecodeError, isRawEntity, parseEntityJson, type RawEntity } from '@rowkey/odata'
import type { HttpResponse } from '../http/http-response.ts'
import { redact } from '../http/redact.ts'

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
