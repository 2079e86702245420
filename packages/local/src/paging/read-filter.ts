import { type FilterNode, FilterSyntaxError, parseFilter } from '@rowkey/odata'
import type { QueryParameters } from '../call/query-parameters.ts'
import { ServiceFault } from '../fault/service-fault.ts'

/** What a token may be made of, as far as a refusal must know where one ends. */
const TOKEN = /[^\s()]*/y

/** The `$filter` as a tree; `undefined` when there is none, or a blank one. */
export function readFilter(query: QueryParameters): FilterNode | undefined {
  const text = query.get('$filter')
  if (text === undefined) return undefined
  try {
    return parseFilter(text)
  } catch (cause) {
    if (!(cause instanceof FilterSyntaxError)) throw cause
    throw new ServiceFault('InvalidInput', {
      text: `Syntax error at position ${endOfToken(text, cause.position)} in '${text}'.`,
      cause,
    })
  }
}

/** The service names the end of the token that it could not take. */
function endOfToken(text: string, start: number): number {
  TOKEN.lastIndex = start
  TOKEN.test(text)
  return TOKEN.lastIndex
}
