import { CALL_OPTION_NAMES, type CallOptions, type TableService } from '@rowkey/rest'

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
