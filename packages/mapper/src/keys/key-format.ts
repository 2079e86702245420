import type { EdmType } from '@rowkey/odata'

/** One way of writing a value in a key, and of reading it back. */
export interface KeyFormat {
  /** The type that conditions on the value compare by. */
  readonly type: EdmType
  /** What values it takes, for messages: `a whole number from 0 to 99999999`. */
  readonly takes: string
  /** Whether the texts sort as the values do, or the other way round. */
  readonly order?: 'ascending' | 'descending' | undefined
  /** Whether the text of a value begins with the text of every prefix of the value. */
  readonly prefixes?: boolean | undefined
  /** How many UTF-16 units every text has; absent when they differ. */
  readonly length?: number | undefined
  /** Characters that its texts hold whatever follows: fixed text after it cannot begin with one. */
  readonly occupied?: RegExp | undefined
  /**
   * Writes a value.
   *
   * @param separator - the character that must not occur, since it begins what follows
   * @returns `undefined` for a value that it does not take
   */
  print(value: unknown, separator: string): string | undefined
  /** Reads a text; absent where nobody can. It gives `undefined` for a text it never writes. */
  parse?(text: string): unknown
}
