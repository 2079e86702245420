import type { CallOptions } from '@rowkey/rest'

/** Every name, or this does not compile. */
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

/** The names of {@link WriteOptions}. */
export const WRITE_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'etag']
