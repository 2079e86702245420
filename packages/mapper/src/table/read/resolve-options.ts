import { InputError } from '@rowkey/odata'
import type { EntityResolver } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import { SELECT_OPTION_NAMES } from './select-options.ts'

/** What reading an entity as something else takes. */
export interface ResolveOptions<Result> extends CallOptions {
  /** Makes the result of the parts of the entity; what it returns is passed on as it is. */
  readonly resolve: EntityResolver<Result>
  /** The properties to read, as the class names them; all when absent. */
  readonly select?: readonly [string, ...string[]] | undefined
}

/** The names of {@link ResolveOptions}. */
export const RESOLVE_OPTION_NAMES: readonly string[] = [...SELECT_OPTION_NAMES, 'resolve']

/**
 * Refuses what is no resolver before anything is sent.
 *
 * @param resolve - the option; `undefined` when it is absent
 * @param where - the call, for the message
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkResolve(resolve: unknown, where: string): void {
  if (resolve === undefined || typeof resolve === 'function') return
  throw new InputError({
    code: 'InvalidOptionValue',
    message: `resolve of ${where} must be a function of (partitionKey, rowKey, timestamp, properties, etag).`,
  })
}
