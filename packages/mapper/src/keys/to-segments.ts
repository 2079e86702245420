import { forbiddenInKeys } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import type { TemplatePart } from './template-part.ts'

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
    if (next === undefined || piece.fixedLength !== undefined) return piece.before('')
    throw mapperInputError({
      code: 'InvalidKeyTemplate',
      message:
        `\${'${piece.text}'} and \${'${next.text}'} touch, so a key does not show where the first one ends. Put fixed ` +
        'text between them, such as a semicolon.',
    })
  }
  if (piece.format.occupied?.test(next.charAt(0)) !== true) return piece.before(next)
  throw mapperInputError({
    code: 'InvalidKeyTemplate',
    message:
      `'${next}' must not follow \${'${piece.text}'}, which may contain '${next.charAt(0)}' itself. Use another ` +
      'separator, such as a semicolon.',
  })
}

function checkText(text: string): string {
  const [found] = forbiddenInKeys.exec(text) ?? []
  if (found === undefined) return text
  throw mapperInputError({
    code: 'InvalidKeyTemplate',
    message:
      `The fixed text ${JSON.stringify(text)} contains ${JSON.stringify(found)}. A key must not contain / \\ # ? and ` +
      'control characters. Choose another character.',
  })
}

/** Rejects a property that a key would give two values. */
function checkOnce(segments: Segments): void {
  const seen = new Set<string>()
  for (const segment of segments) {
    if (typeof segment === 'string' || !segment.isReadable) continue
    if (seen.has(segment.property)) {
      throw mapperInputError({
        code: 'InvalidKeyTemplate',
        message: `'${segment.property}' occurs twice in one key. Keep one of them.`,
      })
    }
    seen.add(segment.property)
  }
}
