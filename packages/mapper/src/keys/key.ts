import { describeKind, forbiddenInKeys, type InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { findKeyFormat, NAMED_FORMATS } from './find-key-format.ts'
import { KeyCodec } from './key-codec.ts'
import type { CheckedKeyParts, KeyValues } from './key-values.ts'
import { TemplatePart } from './template-part.ts'

/** A part of a key template: a property, with or without a format, or another template. */
export type KeyTemplatePart = string | KeyCodec

/** The values of all parts of a template, including parts of templates in it. */
export type KeyTemplateValues<Parts extends readonly unknown[]> = KeyValues<
  Extract<Parts[number], string>
> &
  (Extract<Parts[number], KeyCodec> extends never
    ? unknown
    : CodecValues<Extract<Parts[number], KeyCodec>>)

/**
 * The values of several templates together.
 *
 * @example
 * ```ts
 * type A = CodecValues<KeyCodec<{ a: string }> | KeyCodec<{ b: number }>> // { a: string } & { b: number }
 * ```
 */
export type CodecValues<Codec> = (
  Codec extends KeyCodec<infer Values>
    ? (values: Values) => void
    : never
) extends (values: infer All) => void
  ? All
  : never

/**
 * Describes how a PartitionKey or RowKey is made of properties. A template has fixed text, and each
 * property in quotes within `${}`. A property that is not plain text has a format after a colon.
 *
 * | format | value | text in the key |
 * | --- | --- | --- |
 * | none | text | as it is |
 * | `:8` | a number from 0, in 1 to 15 digits | `00000007` |
 * | `:19n` | a bigint from 0, in 1 to 19 digits | `0000000000000000007` |
 * | `:int32`, `:int64` | any Int32; any Int64 as a bigint | 10 and 20 digits, negative ones first |
 * | `:date` | a Date at midnight UTC | `2026-11-20` |
 * | `:time` | a Date, oldest first | `2026-11-20T17:36:41.0000000Z` |
 * | `:inverted` | a Date, newest first | `2516071045989999999` |
 * | `:guid` | a Guid | in lower case |
 * | `:hex` | bytes | `0aff` |
 * | `:escaped` | text | `a!2fb` for `a/b` |
 * | `:base64url` | text | url-safe base64 |
 * | `:hash` | text | its SHA-256; it cannot be read back |
 *
 * A key must be readable again: a part without a fixed length must be the last one, or fixed text must
 * follow it. Its values must not contain that text.
 *
 * @throws InputError (`InvalidKeyTemplate`) for an unknown format, and for a template whose keys could not be read again
 *
 * @example
 * ```ts
 * key`${'state'};${'city'}`       // 'WA;Seattle'
 * key`0002_${'orderNo:8'}`        // '0002_00000007'
 * key`${'tenant:guid'}${'at:inverted'}`
 * key`settings`                   // the same key for every entity
 * ```
 */
export function key<const Parts extends readonly KeyTemplatePart[]>(
  texts: TemplateStringsArray,
  ...parts: CheckedKeyParts<Parts>
): KeyCodec<KeyTemplateValues<Parts>> {
  const pieces: (string | TemplatePart)[] = [cooked(Array.isArray(texts) ? texts[0] : undefined)]
  parts.forEach((part: unknown, index) => {
    pieces.push(...piecesOf(part), cooked(texts[index + 1]))
  })
  return new KeyCodec(toSegments(pieces))
}

/** The parts of one piece, which do not yet know the text after them. */
function piecesOf(part: unknown): readonly (string | TemplatePart)[] {
  if (part instanceof KeyCodec) return part.segments
  if (typeof part === 'string') return [partOf(part)]
  throw invalidTemplate(
    `A part of a key template is ${describeKind(part)}. Name a property in quotes, as in ` +
      `key\`\${'state'}\`, or insert another key template.`,
  )
}

function partOf(text: string): TemplatePart {
  const colon = text.indexOf(':')
  const property = colon < 0 ? text : text.slice(0, colon)
  // A colon at the end is not plain text: the format is missing.
  const name = colon < 0 ? '' : text.slice(colon + 1) || ':'
  const format = findKeyFormat(name)
  if (format === undefined || property === '') throw unknownPart(property, name)
  return new TemplatePart({ property, format, text })
}

function unknownPart(property: string, formatName: string): InputError {
  return invalidTemplate(
    `\${'${property}:${formatName}'} has no property, or an unknown key format. Write a property and, after a ` +
      `colon, a number of digits (:8, :19n) or one of ${NAMED_FORMATS}.`,
  )
}

function cooked(text: string | undefined): string {
  if (typeof text === 'string') return text
  throw invalidTemplate(
    'A key template has an invalid escape, or key was called without a template. Write ' +
      `key\`\${'state'};\${'city'}\`.`,
  )
}

type Segments = readonly (string | TemplatePart)[]

/**
 * Joins adjacent fixed texts, and gives each part the text after it.
 *
 * @throws InputError (`InvalidKeyTemplate`) when a key could be read in two ways, or must not contain the fixed text
 */
export function toSegments(pieces: Segments): Segments {
  const merged: (string | TemplatePart)[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') {
      merged[merged.length - 1] = last + piece
    } else if (piece !== '') merged.push(piece)
  }
  const segments = merged.map((piece, index) => toSegment(piece, merged[index + 1]))
  checkOnce(segments)
  return segments
}

function toSegment(
  piece: string | TemplatePart,
  next: string | TemplatePart | undefined,
): string | TemplatePart {
  if (typeof piece === 'string') return checkText(piece)
  if (typeof next !== 'string') {
    if (next === undefined || piece.fixedLength !== undefined) return new TemplatePart(piece, '')
    throw invalidTemplate(
      `\${'${piece.text}'} and \${'${next.text}'} touch, so a key does not show where the first one ends. Put fixed ` +
        'text between them, such as a semicolon.',
    )
  }
  if (piece.format.occupied?.test(next.charAt(0)) !== true) return new TemplatePart(piece, next)
  throw invalidTemplate(
    `'${next}' must not follow \${'${piece.text}'}, which may contain '${next.charAt(0)}' itself. Use another ` +
      'separator, such as a semicolon.',
  )
}

function checkText(text: string): string {
  const [found] = forbiddenInKeys.exec(text) ?? []
  if (found === undefined) return text
  throw invalidTemplate(
    `The fixed text ${JSON.stringify(text)} contains ${JSON.stringify(found)}. A key must not contain / \\ # ? and ` +
      'control characters. Choose another character.',
  )
}

/** Rejects a property that a key would give two values. */
function checkOnce(segments: Segments): void {
  const seen = new Set<string>()
  for (const segment of segments) {
    if (typeof segment === 'string' || !segment.isReadable) continue
    if (seen.has(segment.property)) {
      throw invalidTemplate(`'${segment.property}' occurs twice in one key. Keep one of them.`)
    }
    seen.add(segment.property)
  }
}

function invalidTemplate(message: string): InputError {
  return mapperInputError({ code: 'InvalidKeyTemplate', message })
}
