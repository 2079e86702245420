import {
  CALL_OPTION_NAMES,
  type CallOptions,
  type OptionNames,
  type TableService,
} from '@rowkey/rest'

/** The names of the options of calls that send many transactions: one key for all would let all but the first seem applied. */
export const KEYLESS_OPTION_NAMES: readonly string[] = CALL_OPTION_NAMES.filter(
  (name) => name !== 'idempotencyKey',
)

/**
 * Lists the names of options that extend {@link CallOptions}.
 *
 * @param own - their own names; the compiler finds a name that is missing or unknown
 */
export function namesWithCall<Options extends CallOptions>(
  own: OptionNames<Omit<Options, keyof CallOptions>>,
): readonly string[] {
  return [...CALL_OPTION_NAMES, ...Object.keys(own)]
}

/**
 * Tells the options of a call from the key of an entity.
 *
 * @param value - options, or an object that names an entity
 */
export function isCallOptions(value: object): value is CallOptions {
  if (value === null || Array.isArray(value)) return false
  return Object.keys(value).every((name) => CALL_OPTION_NAMES.includes(name))
}

/**
 * Tells whether the deadline of a running call would pass during a wait.
 *
 * @param wait - milliseconds
 * @param service - has the clock
 * @param options - the options of the call
 */
export function isOverAfter(
  wait: number,
  service: TableService,
  { deadline }: CallOptions,
): boolean {
  return typeof deadline === 'object' && service.now() + wait >= deadline.endsAt
}
