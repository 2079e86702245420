import type { FoundError } from './error-body.ts'

/**
 * What an OData error in JSON says: `{"odata.error":{"code":…,"message":{"value":…}}}`.
 *
 * @param body - the answer's body
 * @returns `undefined` when it is not one
 */
export function readJsonError(body: string): FoundError | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  const error = member(json, 'odata.error') ?? member(json, 'error')
  const message = member(error, 'message')
  return { code: member(error, 'code'), message: member(message, 'value') ?? message }
}

function member(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Record<string, unknown>)[name]
    : undefined
}
