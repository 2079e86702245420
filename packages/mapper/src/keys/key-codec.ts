import type { InputError } from '@rowkey/odata'
import type { KeyTemplate } from '@rowkey/query'
import { mapperInputError } from '../errors/codes.ts'
import { invalidKeyPart } from '../errors/compose-errors.ts'
import type { TemplatePart } from './template-part.ts'

/**
 * A PartitionKey or RowKey that is made of properties: prints them as a key and parses them back. Made
 * by {@link key}.
 *
 * @example
 * ```ts
 * const place = key`${'state'};${'city'}`
 * place.print({ state: 'WA', city: 'Seattle' })  // 'WA;Seattle'
 * place.parse('WA;Seattle')                      // { state: 'WA', city: 'Seattle' }
 * ```
 */
export class KeyCodec<Values extends object = object> implements KeyTemplate {
  /** Fixed texts and parts, in their order. */
  readonly segments: readonly (string | TemplatePart)[]

  /** @param segments - checked; see {@link key} */
  constructor(segments: readonly (string | TemplatePart)[]) {
    this.segments = Object.freeze(segments)
    Object.freeze(this)
  }

  /** The properties that are parts of the key, in their order. */
  get properties(): readonly string[] {
    return this.segments.flatMap((segment) =>
      typeof segment === 'string' ? [] : [segment.property],
    )
  }

  /** The properties that {@link KeyCodec.parse} tells: those that were not hashed. */
  get readable(): readonly string[] {
    return this.segments.flatMap((segment) =>
      typeof segment === 'object' && segment.isReadable ? [segment.property] : [],
    )
  }

  /**
   * The key of some values. Whether the service can store it is checked where it is used.
   *
   * @throws InputError (`InvalidKeyPart`) for a value that is missing, or that its part does not take
   */
  print(values: Values): string {
    const members = values as Readonly<Record<string, unknown>> // every object has members
    let text = ''
    for (const segment of this.segments) {
      text += typeof segment === 'string' ? segment : segment.print(members[segment.property])
    }
    return text
  }

  /**
   * What all keys begin with that have some values in common: the text up to the first part that has
   * none.
   *
   * @param values - the values of the first parts
   * @throws InputError (`InvalidKeyPart`) for a value whose earlier part has none
   *
   * @example
   * ```ts
   * key`${'state'};${'city'}`.prefix({ state: 'WA' })   // 'WA;'
   * ```
   */
  prefix(values: Partial<Values>): string {
    const members = values as Readonly<Record<string, unknown>> // every object has members
    let text = ''
    let missing: string | undefined
    for (const segment of this.segments) {
      if (typeof segment === 'string') {
        if (missing === undefined) text += segment
      } else if (members[segment.property] === undefined) {
        missing ??= segment.property
      } else if (missing === undefined) {
        text += segment.print(members[segment.property])
      } else {
        throw tooEarly(segment.property, missing)
      }
    }
    return text
  }

  /**
   * The values that a key was made of, those aside that were hashed.
   *
   * @throws InputError (`KeyMismatch`) when the key does not have the template's form
   */
  parse(text: string): Values {
    const values: Record<string, unknown> = {}
    let at = 0
    for (const segment of this.segments) {
      if (typeof segment === 'string') {
        if (!text.startsWith(segment, at)) throw this.#mismatch(text)
        at += segment.length
        continue
      }
      const found = segment.parse(text, at)
      if (found === undefined) throw this.#mismatch(text)
      if (segment.isReadable) values[segment.property] = found.value
      at = found.end
    }
    if (at !== text.length) throw this.#mismatch(text)
    return values as Values // one for each part, as its format gives it
  }

  /** The template as it is written: `${'state'};${'city'}`. */
  toString(): string {
    const texts = this.segments.map((segment) =>
      typeof segment === 'string' ? segment : `\${'${segment.text}'}`,
    )
    return texts.join('')
  }

  #mismatch(text: string): InputError {
    return mapperInputError({
      code: 'KeyMismatch',
      message:
        `The key ${JSON.stringify(text)} does not have the form ${this}. Whoever wrote it makes keys in another way, ` +
        'or it belongs to another model.',
    })
  }
}

function tooEarly(property: string, missing: string): InputError {
  return invalidKeyPart({
    property,
    problem: `It stands after ${missing} in the key, which has no value here. Give ${missing} a value, or leave this one out.`,
  })
}
