import type { CallOptions, TableService } from '@rowkey/rest'

/**
 * Whether the time of a call, which has begun, would be over after a wait.
 *
 * @param wait - milliseconds
 * @param service - has the clock
 * @param options - those of the call
 */
export function isOverAfter(
  wait: number,
  service: TableService,
  { deadline }: CallOptions,
): boolean {
  return typeof deadline === 'object' && service.now() + wait >= deadline.endsAt
}
