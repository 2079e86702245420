import { compileQuery } from '../compile/compile-query.ts'
import { invalidToken } from '../run/page-position.ts'
import type { QueryRun } from '../run/query-run.ts'
import type { QueryOptions } from '../source/query-source.ts'

/** What a sealed token begins with. */
const SEALED = '~s'

/**
 * Seals a token for the caller, where the source has a seal.
 *
 * @param run - the query and its source
 * @param token - where the query continues
 */
export function sealToken<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  token: string,
): string {
  const { tokenSeal } = run.source
  return tokenSeal === undefined ? token : SEALED + tokenSeal.seal(token, contextOf(run))
}

/**
 * Opens a token of {@link sealToken}.
 *
 * @param run - the query and its source
 * @param text - the caller's token; `undefined` is the start
 * @throws InputError with the code `InvalidContinuationToken` when it was not sealed for this query, or is
 * sealed and the source has no seal
 */
export function openToken<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  text: string | undefined,
): string | undefined {
  const { tokenSeal } = run.source
  const isSealed = typeof text === 'string' && text.startsWith(SEALED)
  if (tokenSeal === undefined) {
    if (!isSealed) return text
    throw invalidToken(
      'The continuation token is sealed, and no keys to open it were configured. Give connect() the continuationKeys that it was sealed with.',
    )
  }
  if (text === undefined) return undefined
  const token = isSealed ? tokenSeal.open(text.slice(SEALED.length), contextOf(run)) : undefined
  if (token !== undefined) return token
  throw invalidToken(
    'The continuation token was not sealed by this program for this query, or the key is no longer among the continuationKeys. Pass one exactly as a page of the same query gave it, or begin without one.',
  )
}

/** What must be the same when a query continues: not how many rows a page has. */
function contextOf<Options extends QueryOptions>({
  node,
  source,
}: QueryRun<unknown, Options>): string {
  const { filter, select } = compileQuery(node)
  return JSON.stringify([source.table ?? node.model.name, filter ?? null, select ?? null])
}
