import type { EdmType } from '@rowkey/odata'

/** Writes a value in a key, and reads it back. */
export interface KeyFormat {
  /** The type in which conditions compare the value. */
  readonly type: EdmType
  /** The values that it accepts, for messages: `a whole number from 0 to 99999999`. */
  readonly takes: string
  /** Whether the texts sort as the values do, or in reverse; absent when they do not. */
  readonly order?: 'ascending' | 'descending' | undefined
  /** Whether the text of a value begins with the text of every prefix of the value. */
  readonly prefixes?: boolean | undefined
  /** The length of every text in UTF-16 units; absent when it depends on the value. */
  readonly length?: number | undefined
  /** The characters that its texts may contain. Fixed text after it must not begin with one of them. */
  readonly occupied?: RegExp | undefined
  /**
   * Prints a value.
   *
   * @param separator - the first character of the text after it, which the value must not contain
   * @returns `undefined` for a value that it does not accept
   */
  print(value: unknown, separator: string): string | undefined
  /** Parses a text, and returns `undefined` for a text that it never prints; absent for hashes. */
  parse?(text: string): unknown
}
