import type { InputError } from '@rowkey/odata'
import { brand } from '@rowkey/odata'
import type { KeyTemplate } from '@rowkey/query'
import { mapperInputError } from '../errors/codes.ts'
import { invalidKeyPart } from '../errors/compose-errors.ts'
import { TemplatePart } from './template-part.ts'
import { textFormat } from './text-formats.ts'

/**
 * Prints properties as a PartitionKey or a RowKey, and parses them back. {@link key} makes it.
 *
 * @example
 * ```ts
 * const place = key`${'state'};${'city'}`
 * place.print({ state: 'WA', city: 'Seattle' })  // 'WA;Seattle'
 * place.parse('WA;Seattle')                      // { state: 'WA', city: 'Seattle' }
 * ```
 */
export class KeyCodec<Values extends object = object> implements KeyTemplate {
  static {
    brand(KeyCodec, 'rowkey.keyCodec')
  }

  /** The fixed texts and the parts, in their order. */
  readonly segments: readonly (string | TemplatePart)[]

  /**
   * @param segments - the segments, already checked: see {@link key}
   * @internal
   */
  constructor(segments: readonly (string | TemplatePart)[]) {
    this.segments = Object.freeze(segments)
    Object.freeze(this)
  }

  /** The properties that are parts of the key, in their order. */
  get properties(): readonly string[] {
    return this.parts.map(({ property }) => property)
  }

  /** The properties that {@link KeyCodec.parse} returns: all but hashed ones. */
  get readable(): readonly string[] {
    return this.parts.filter(({ isReadable }) => isReadable).map(({ property }) => property)
  }

  /**
   * The parts, in their order.
   *
   * @internal
   */
  get parts(): readonly TemplatePart[] {
    return this.segments.filter((segment) => typeof segment === 'object')
  }

  /**
   * Prints values as a key. The rules of the service for keys are checked where the key is used.
   *
   * @throws InputError (`InvalidKeyPart`) for a value that is missing, or that its format rejects
   */
  print(values: Values): string {
    const members = (values ?? {}) as Readonly<Record<string, unknown>> // JavaScript may pass nothing
    let text = ''
    for (const segment of this.segments) {
      text += typeof segment === 'string' ? segment : segment.print(members[segment.property])
    }
    return text
  }

  /**
   * Prints the common beginning of all keys with some values: the text up to the first part without a value.
   *
   * @param values - the values of the first parts
   * @throws InputError (`InvalidKeyPart`) for a value after a part without one
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
   * Parses a key into the values that it was made of, except hashed ones.
   *
   * @throws InputError (`KeyMismatch`) when the key does not have the form of the template
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
      if (found === undefined) throw this.#mismatch(text, this.#whyNot(text, at, segment))
      if (segment.isReadable) values[segment.property] = found.value
      at = found.end
    }
    if (at !== text.length) throw this.#mismatch(text)
    return values as Values // one for each part, of the type of its format
  }

  /** Returns the template as it is declared: `${'state'};${'city'}`. */
  toString(): string {
    const texts = this.segments.map((segment) =>
      typeof segment === 'string' ? segment : `\${'${segment.text}'}`,
    )
    return texts.join('')
  }

  #whyNot(text: string, at: number, part: TemplatePart): string {
    const next = this.segments[this.segments.indexOf(part) + 1]
    const isEndless = typeof next === 'string' && !text.includes(next, at)
    const problem = isEndless ? `followed by '${next}'` : part.format.takes
    return `: its part ${part.property} is not ${problem}`
  }

  #mismatch(text: string, wrong = ''): InputError {
    return mapperInputError({
      code: 'KeyMismatch',
      message:
        `The key ${JSON.stringify(text)} does not have the form ${this}${wrong}. Another program or model may ` +
        'have written the row.',
    })
  }
}

function tooEarly(property: string, missing: string): InputError {
  return invalidKeyPart(
    property,
    `It comes after ${missing} in the key. Give ${missing} a value, or leave this one out.`,
  )
}

/** Makes the key that is one text property. */
export function wholeKey(property: string): KeyCodec {
  return new KeyCodec([new TemplatePart({ property, format: textFormat, text: property })])
}

/** Returns the property that is the whole key, as plain text; `undefined` for every other key. */
export function wholeKeyOf({ segments }: KeyCodec): string | undefined {
  const [only, more] = segments
  if (typeof only !== 'object' || more !== undefined || only.text !== only.property)
    return undefined
  return only.property
}

/** Lists the parts of both keys that can be read back. */
export function partsIn(model: {
  readonly partitionKey: KeyCodec
  readonly rowKey: KeyCodec
}): TemplatePart[] {
  return [...model.partitionKey.parts, ...model.rowKey.parts].filter(({ isReadable }) => isReadable)
}
