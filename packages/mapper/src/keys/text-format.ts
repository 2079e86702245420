import { isWellFormed } from '@rowkey/odata'
import type { KeyFormat } from './key-format.ts'

/** What formats of text accept, for messages. */
export const TAKEN_TEXT = 'a text without lone surrogates'

/** Text as it is. */
export const textFormat: KeyFormat = {
  type: 'String',
  takes: TAKEN_TEXT,
  order: 'ascending',
  prefixes: true,
  print: (value) => (isText(value) ? value : undefined),
  parse: (text) => text,
}

/** Returns whether a value is text that UTF-8 can carry. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value)
}
