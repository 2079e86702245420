import type { CallOptions, TableService } from '@rowkey/rest'

/** The compiler checks that every name is listed. */
const names: Record<keyof CallOptions, true> = {
  context: true,
  deadline: true,
  locationMode: true,
  retry: true,
  signal: true,
  timeout: true,
}

/** The names of {@link CallOptions}. */
export const CALL_OPTION_NAMES: readonly string[] = Object.keys(names)

/**
 * Tells the options of a call from the key of an entity.
 *
 * @param value - options, or an object that names an entity
 */
export function isCallOptions(value: object): value is CallOptions {
  return !Array.isArray(value) && Object.keys(value).every((name) => Object.hasOwn(names, name))
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
