import { Rejection } from '../rejection/rejection.ts'

/** The decoded parameters of a query string, by their decoded names. */
export type QueryParameters = ReadonlyMap<string, string>

const NONE: QueryParameters = new Map()

/**
 * Parses a query string as the service does: `+` is a blank, and a name appears at most once.
 *
 * @param query - percent-encoded, without its `?`
 * @throws Rejection InvalidQueryParameterValue
 */
export function parseQueryParameters(query: string): QueryParameters {
  if (query === '') return NONE
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodeParameter(equals < 0 ? pair : pair.slice(0, equals))
    if (parameters.has(name)) {
      throw new Rejection('InvalidQueryParameterValue', {
        text: `The query parameter '${name}' is given more than once.`,
      })
    }
    parameters.set(name, equals < 0 ? '' : decodeParameter(pair.slice(equals + 1)))
  }
  return parameters
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Rejection('InvalidQueryParameterValue')
  }
}
