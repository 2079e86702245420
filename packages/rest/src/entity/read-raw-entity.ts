import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { DecodeError } from '../errors/decode-error.ts'

/**
 * The JSON object in an answer's body.
 *
 * @param operation - the operation's name, for the message
 * @param body - the answer's body
 * @param mayHaveApplied - whether the operation was a write, which the status says was done
 * @throws {@link DecodeError} when the body is not a JSON object
 */
export function readRawEntity(operation: string, body: string, mayHaveApplied: boolean): RawEntity {
  const found = parse(operation, body, mayHaveApplied)
  if (isObject(found)) return found
  throw notJson(operation, body, mayHaveApplied)
}

/**
 * The `value` of an answer that holds many.
 *
 * @param operation - the operation's name, for the message
 * @param body - the answer's body
 * @throws {@link DecodeError} when the body is not an object with an array of objects
 */
export function readRawEntities(operation: string, body: string): RawEntity[] {
  const { value } = readRawEntity(operation, body, false)
  if (Array.isArray(value) && value.every(isObject)) return value
  throw notJson(operation, body, false)
}

function parse(operation: string, body: string, mayHaveApplied: boolean): unknown {
  try {
    return parseEntityJson(body)
  } catch (cause) {
    throw notJson(operation, body, mayHaveApplied, cause)
  }
}

function isObject(json: unknown): json is RawEntity {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function notJson(
  operation: string,
  body: string,
  mayHaveApplied: boolean,
  cause?: unknown,
): DecodeError {
  return new DecodeError({
    message: `${operation} was answered with ${body.length} characters that are not the JSON of the Table service. Is the endpoint right, and no proxy answering in its place?`,
    mayHaveApplied,
    cause,
  })
}
