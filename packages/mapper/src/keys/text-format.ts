import { isWellFormed } from '@rowkey/odata'
import type { KeyFormat } from './key-format.ts'

/** Text as it is. */
export const textFormat: KeyFormat = {
  type: 'String',
  takes: 'a text without half surrogate pairs',
  order: 'ascending',
  prefixes: true,
  print: (value) => (isText(value) ? value : undefined),
  parse: (text) => text,
}

/** Whether a value is text that UTF-8 can carry. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value)
}
